import { z } from 'zod'
import { listRuns } from '../../db/runs/list.ts'
import { queryInteger, uuid } from '../../domain/fields/fields.ts'
import { toListedRunResponse, listedRunSchema, listedStatuses } from '../../domain/runs/listed-run.ts'
import { resolveAccount } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { cursorParameter, bindCursors } from '../http/cursor.ts'
import { route, ok, type Route } from '../http/route.ts'
import { createListSchema, runFilterFields, toFilter } from './filter.ts'
import { routeDefaults } from './route-defaults.ts'

const query = z.object({
  account_id: uuid.optional(),
  ...runFilterFields,
  status: createListSchema(z.enum(listedStatuses)).optional(),
  waiting: z.enum(['true', 'false']).default('false'),
  limit: queryInteger(1, 100, 50),
  cursor: cursorParameter,
})

const position = z.object({ micros: z.int(), id: z.string() })

export function listRunsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/runs',
    summary: 'List turns and jobs, newest first',
    description:
      'Returns the turns and jobs of an account in one list. `kind` and `status` accept several values, separated by commas. Turns that a job waits for are omitted unless `children` is true. With `waiting`, only the turns that wait for the user are returned: each ended with a question or an approval that is still open.',
    ownership: 'Runs of the caller, or of the account named by account_id that the caller may act for.',
    query,
    responses: { 200: z.object({ runs: z.array(listedRunSchema), next_cursor: z.string().nullable() }) },
    errors: ['forbidden'],
    authorize: ({ caller, query: runQuery }) => resolveAccount(deps, caller, runQuery.account_id),
    handle: async ({ caller, query: { account_id: accountId = caller.accountId, cursor, limit, ...filter } }) => {
      const cursors = bindCursors(deps, position, accountId, ['runs', filter])
      const after = cursors.open(cursor)
      const items = await listRuns(deps.db, toFilter(accountId, filter), { limit: limit + 1, after })
      const { rows, next } = cursors.cut(items, limit, ({ createdMicros: micros, id }) => ({ micros, id }))
      const now = new Date()
      return ok({ runs: rows.map((run) => toListedRunResponse(run, now)), next_cursor: next })
    },
  })
}
