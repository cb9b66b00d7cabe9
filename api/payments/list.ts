import { z } from 'zod'
import { listIntents } from '../../db/payments/intents.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { resolveReadable } from '../access/access.ts'
import { cursorParameter, bindCursors } from '../http/cursor.ts'
import type { RouteDeps } from '../deps.ts'
import { route, ok, type Route } from '../http/route.ts'
import { pathAccountRoute, paymentsTag } from './route-defaults.ts'
import { toWire } from '../../domain/wire.ts'

const position = z.object({ createdAt: z.string(), id: z.guid() })

const payment = z.object({
  id: z.guid(),
  amount_cents: z.int(),
  credits: z.int(),
  state: z.enum(['created', 'pending', 'paid', 'failed', 'mismatch']),
  created_at: z.iso.datetime(),
})

export function paymentListRoute(deps: RouteDeps): Route {
  return route({
    ...pathAccountRoute,
    tag: paymentsTag,
    method: 'GET',
    path: '/api/accounts/{id}/payments',
    summary: 'List the purchases of credits, newest first',
    query: z.object({ limit: queryInteger(1, 100, 20), cursor: cursorParameter }),
    responses: { 200: z.object({ payments: z.array(payment), next_cursor: z.string().nullable() }) },
    errors: ['forbidden'],
    authorize: async ({ caller, params, query: { cursor } }) => {
      bindCursors(deps, position, params.id, ['payments']).open(cursor)
      await resolveReadable(deps, caller, params.id)
    },
    handle: async ({ params, query: { limit, cursor } }) => {
      const cursors = bindCursors(deps, position, params.id, ['payments'])
      const after = cursors.open(cursor)
      const items = await listIntents(deps.db, params.id, { limit: limit + 1, after })
      const { rows, next } = cursors.cut(items, limit, (last) => last.position)
      return ok({
        payments: rows.map((intent) => toWire(payment, { ...intent, amountCents: intent.totalCents })),
        next_cursor: next,
      })
    },
  })
}
