import { z } from 'zod'
import { listEntries, type LedgerEntry } from '../../db/credits/entries.ts'
import { creditsToUsd } from '../../domain/credits/money.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { resolveReadable } from '../access/access.ts'
import { cursorParameter, bindCursors } from '../http/cursor.ts'
import type { RouteDeps } from '../deps.ts'
import { route, ok, type Route } from '../http/route.ts'
import { routeDefaults } from './credits.ts'
import { toWire } from '../../domain/wire.ts'

const position = z.object({ id: z.int() })

const entry = z
  .object({
    id: z.int(),
    kind: z.enum(['seed', 'refill', 'topup', 'grant', 'charge', 'refund']),
    credits: z.int(),
    usd: z.string(),
    balance_after: z.int(),
    reference: z.string(),
    reason: z.string().nullable(),
    source: z.enum(['web', 'api']).nullable(),
    model_id: z.string().nullable(),
    run_id: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'LedgerEntry' })

export function entriesRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    path: '/api/accounts/{id}/ledger',
    summary: 'List the ledger entries of an account',
    description:
      'Returns every ledger entry, newest first, with its unique reference and the balance after it. `source`, `model_id` ' +
      'and `run_id` describe the work that was charged; they are null for other entries.',
    query: z.object({ limit: queryInteger(1, 100, 50), cursor: cursorParameter }),
    responses: {
      200: z.object({ account_id: z.guid(), entries: z.array(entry), next_cursor: z.string().nullable() }),
    },
    errors: ['forbidden'],
    authorize: ({ caller, params }) => resolveReadable(deps, caller, params.id),
    handle: async ({ params: { id: accountId }, query: { limit, cursor } }) => {
      const cursors = bindCursors(deps, position, accountId, ['ledger'])
      const before = cursors.open(cursor)?.id
      const items = await listEntries(deps.db, { accountId, limit: limit + 1, before })
      const { rows, next } = cursors.cut(items, limit, ({ id }) => ({ id }))
      return ok({ account_id: accountId, entries: rows.map(toEntryResponse), next_cursor: next })
    },
  })
}

function toEntryResponse(row: LedgerEntry): z.output<typeof entry> {
  return toWire(entry, { ...row, credits: row.amount, usd: creditsToUsd(row.amount) })
}
