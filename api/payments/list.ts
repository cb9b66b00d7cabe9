import { z } from 'zod'
import { listIntents } from '../../db/payments/intents.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { resolveReadable } from '../access/access.ts'
import { cursorParameter, cutPage, openCursor, type CursorBinding } from '../http/cursor.ts'
import type { RouteDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { pathAccountRoute } from './route-defaults.ts'
import { paymentsTag } from './tag.ts'

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
      openCursor(bindCursor(deps, params.id), cursor, position)
      await resolveReadable(deps, caller, params.id)
    },
    handle: async ({ params, query: { limit, cursor } }) => {
      const binding = bindCursor(deps, params.id)
      const after = openCursor(binding, cursor, position)
      const items = await listIntents(deps.db, params.id, { limit: limit + 1, after })
      const { rows, next } = cutPage(binding, items, limit, (last) => last.position)
      return {
        status: 200,
        body: {
          payments: rows.map((intent) => ({
            id: intent.id,
            amount_cents: intent.totalCents,
            credits: intent.credits,
            state: intent.state,
            created_at: intent.createdAt.toISOString(),
          })),
          next_cursor: next,
        },
      }
    },
  })
}

function bindCursor({ config }: RouteDeps, accountId: string): CursorBinding {
  return {
    secret: config.SERVER_SECRET,
    accountId,
    query: ['payments'],
  }
}
