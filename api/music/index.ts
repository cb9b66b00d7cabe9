import type { MusicDeps } from './route-defaults.ts'
import type { Route } from '../http/route.ts'
import { createRoute } from './create.ts'
import { webhookRoute } from './webhook.ts'
import { listRoute, readRoute, removeRoute } from './generations.ts'

/** Routes that generate tracks from text. */
export function musicRoutes(deps: MusicDeps): Route[] {
  return [createRoute(deps), listRoute(deps), readRoute(deps), removeRoute(deps), webhookRoute(deps)]
}
