import type { ApiDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { createRoute } from './create.ts'
import { listRoute, readRoute } from './read.ts'

/** Jobs that measure how often songs were played. */
export function measurementRoutes(deps: ApiDeps): Route[] {
  return [createRoute(deps), readRoute(deps), listRoute(deps)]
}
