import { overviewSchema } from '../../domain/operator/overview.ts'
import { route, type Route } from '../http/route.ts'
import { activityRoute } from './activity.ts'
import { createOverview } from './overview.ts'
import { routeDefaults, type OperatorDeps } from './route-defaults.ts'

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
