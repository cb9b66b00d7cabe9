import type { WorkDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { createRoute } from './create.ts'
import { readRoute, listRoute } from './read.ts'
import { removeRoute } from './remove.ts'
import { updateRoute } from './update.ts'

/** Routes of scheduled tasks. */
export function taskRoutes(deps: WorkDeps): Route[] {
  return [listRoute(deps), readRoute(deps), createRoute(deps), updateRoute(deps), removeRoute(deps)]
}
