import type { RouteDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { favoriteRoute } from './favorite.ts'
import { listRoute, readRoute } from './read.ts'
import { createRoute, deleteRoute, updateRoute } from './write.ts'

/** Routes of prompts that people save and share. */
export function templateRoutes(deps: RouteDeps): Route[] {
  return [
    listRoute(deps),
    readRoute(deps),
    createRoute(deps),
    updateRoute(deps),
    deleteRoute(deps),
    favoriteRoute(deps),
  ]
}
