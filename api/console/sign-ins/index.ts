import type { RouteDeps } from '../../deps.ts'
import type { Route } from '../../http/route.ts'
import { createSignInCookie } from './cookie.ts'
import { cookieRoutes } from './exchange.ts'
import { listRoutes } from './list.ts'
import { beginRoute } from './begin.ts'

/** Sign-ins of the console that survive a reload. */
export function signInRoutes(deps: RouteDeps): Route[] {
  const cookie = createSignInCookie(deps.config)
  return [beginRoute(deps, cookie), ...cookieRoutes(deps, cookie), ...listRoutes(deps)]
}
