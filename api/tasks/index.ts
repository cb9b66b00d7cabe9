import type { ApiDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { createRoute } from './create.ts'
import { listRoute } from './list.ts'
import { removeRoute } from './remove.ts'
import { updateRoute } from './update.ts'

/** What agents do by a cron. */
export function taskRoutes(deps: ApiDeps): Route[] {
  return [listRoute(deps), createRoute(deps), updateRoute(deps), removeRoute(deps)]
}
