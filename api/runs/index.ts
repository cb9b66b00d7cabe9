import type { ApiDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { listRunsRoute } from './list.ts'
import { timelineRoute } from './timeline.ts'

export function runRoutes(deps: ApiDeps): Route[] {
  return [listRunsRoute(deps), timelineRoute(deps)]
}
