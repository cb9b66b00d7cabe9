import { consoleClient } from '../../../config.ts'
import type { Route } from '../../http/route.ts'
import { authorizeRoutes } from './authorize.ts'
import { discoveryRoutes } from './discovery.ts'
import { openRoute } from './open.ts'
import type { IssuerDeps } from './route-defaults.ts'
import { tokenRoutes } from './tokens.ts'

/** Returns the routes of the embedded issuer: bearer tokens, and the sign-in of the console with a code and PKCE. */
export function signInRoutes({ issuer, ...deps }: IssuerDeps): Route[] {
  const client = consoleClient(deps.config)
  if (issuer === undefined || client === undefined) return []
  return [
    ...discoveryRoutes(deps.config.baseUrl, issuer),
    ...tokenRoutes(deps, issuer, client),
    ...authorizeRoutes(deps, client),
    openRoute(deps.config),
  ]
}
