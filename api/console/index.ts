import type { RouteDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { keyRoutes } from './key.ts'
import { signInRoutes } from './sign-ins/index.ts'
import { settingsRoute } from './settings.ts'
import { viewerRoute, accountsRoute } from './viewer.ts'

export function consoleRoutes(deps: RouteDeps): Route[] {
  return [settingsRoute(deps), viewerRoute(deps), accountsRoute(deps), ...keyRoutes(deps), ...signInRoutes(deps)]
}
