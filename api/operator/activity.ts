import { z } from 'zod'
import { listUsageSeries } from '../../db/credits/usage.ts'
import { listFailureGroups, listLiveWork } from '../../db/operator/activity.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { activitySchema, startOfPeriod } from '../../domain/operator/activity.ts'
import type { RouteDeps } from '../deps.ts'
import { route, ok, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

export function activityRoute(deps: RouteDeps): Route {
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
