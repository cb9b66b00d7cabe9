import { z } from 'zod'
import { countRuns, maxCounted } from '../../db/runs/list.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { listedStatuses, type ListedStatus } from '../../domain/runs/listed-run.ts'
import { resolveAccount } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, ok, type Route } from '../http/route.ts'
import { runFilterFields, toFilter } from './filter.ts'
import { routeDefaults } from './route-defaults.ts'

const counts = z.object(mapStatuses(() => z.int()))

export function countRunsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/runs/counts',
    summary: 'Count runs by status',
    description: `Counts the runs that \`GET /api/runs\` lists with the same filters, among the newest ${maxCounted} turns and the newest ${maxCounted} jobs. \`isPartial\` is true if older turns or jobs exist.`,
    ownership: 'Runs of the caller, or of the account named by account_id that the caller may act for.',
    query: z.object({ account_id: uuid.optional(), ...runFilterFields }),
    responses: { 200: z.object({ counts, waiting: z.int(), isPartial: z.boolean() }) },
    errors: ['forbidden'],
    authorize: ({ caller, query: runQuery }) => resolveAccount(deps, caller, runQuery.account_id),
    handle: async ({ caller, query: runQuery }) => {
      const filter = toFilter(runQuery.account_id ?? caller.accountId, runQuery)
      const { statuses, waiting, isPartial } = await countRuns(deps.db, filter)
      return ok({ counts: mapStatuses((status) => statuses.get(status) ?? 0), waiting, isPartial })
    },
  })
}

function mapStatuses<T>(map: (status: ListedStatus) => T): Record<ListedStatus, T> {
  return Object.fromEntries(listedStatuses.map((status) => [status, map(status)])) as Record<ListedStatus, T>
}
