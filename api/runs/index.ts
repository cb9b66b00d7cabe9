import type { RouteDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { entryRoute } from './entry.ts'
import { listRunsRoute, countRunsRoute } from './list.ts'
import { timelineRoute } from './timeline.ts'

export function runRoutes(deps: RouteDeps): Route[] {
  return [listRunsRoute(deps), countRunsRoute(deps), timelineRoute(deps), entryRoute(deps)]
}
