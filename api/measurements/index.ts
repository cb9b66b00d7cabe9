import type { WorkDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { createRoute } from './create.ts'
import { listRoute, readRoute } from './read.ts'

/** Routes of jobs that measure the play counts of songs. */
export function measurementRoutes(deps: WorkDeps): Route[] {
  return [createRoute(deps), readRoute(deps), listRoute(deps)]
}
