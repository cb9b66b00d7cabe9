import { z } from 'zod'
import { overviewSchema } from '../../domain/operator/overview.ts'
import { route, ok, standardRoute, type Route, type Caller } from '../http/route.ts'
import { createOverview, type OperatorDeps } from './overview.ts'
import { listUsageSeries } from '../../db/credits/usage.ts'
import { listFailureGroups, listLiveWork } from '../../db/operator/activity.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { activitySchema, startOfPeriod } from '../../domain/operator/activity.ts'
import type { RouteDeps } from '../deps.ts'
import { isAdmin } from '../access/access.ts'
import { ApiError } from '../http/errors.ts'

export function operatorRoutes(deps: OperatorDeps): Route[] {
  const readOverview = createOverview(deps)
  return [
    route({
      ...routeDefaults(deps),
      path: '/api/operator/overview',
      summary: 'Read the health, queues, rates, alerts and slow routes of all processes',
      description:
        'Each process writes its state to a row every five seconds. The response combines the rows of all processes.',
      responses: { 200: overviewSchema },
      handle: async () => ({ status: 200, body: await readOverview() }),
    }),
    activityRoute(deps),
  ]
}

function activityRoute(deps: RouteDeps): Route {
  const { db } = deps
  return route({
    ...routeDefaults(deps),
    path: '/api/operator/activity',
    summary: 'Read the work in progress, the failures and the spending of all accounts',
    description:
      'Returns the live turns and jobs by kind, the failures of the last `days` days (UTC) by kind and error, ' +
      'and the credits spent per day. Only the newest 10,000 failed turns and the newest 10,000 failed jobs are grouped.',
    query: z.object({ days: queryInteger(1, 30, 7).meta({ description: 'Number of days in UTC, today included.' }) }),
    responses: { 200: activitySchema },
    handle: async ({ query: { days } }) => {
      const now = new Date()
      const since = startOfPeriod(days, now)
      const [live, failures, spend] = await Promise.all([
        listLiveWork(db),
        listFailureGroups(db, since),
        listUsageSeries(db, { from: since, to: now }, 'day'),
      ])
      return ok({
        since: since.toISOString(),
        live,
        failures: failures.map(({ lastAt, ...group }) => ({ ...group, lastAt: lastAt.toISOString() })),
        spend: spend.map(({ start, credits }) => ({ day: start.toISOString().slice(0, 10), credits })),
      })
    },
  })
}

function routeDefaults(deps: RouteDeps) {
  return {
    ...standardRoute,
    method: 'GET',
    tag: { name: 'Operator', description: 'State of the deployment, for its operators.' },
    ownership: 'Members of the admin organization only. Returns no account data.',
    bodyLimit: 0,
    errors: ['forbidden'],
    authorize: async ({ caller }: { caller: Caller }): Promise<void> => {
      if (!(await isAdmin(deps, caller)))
        throw new ApiError('forbidden', 'Only members of the admin organization may see this')
    },
  } as const
}
