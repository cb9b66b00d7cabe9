import { consoleClient } from '../../../config.ts'
import type { ApiDeps } from '../../deps.ts'
import type { Route } from '../../http/route.ts'
import { authorizeRoutes } from './authorize.ts'
import { discoveryRoute } from './discovery.ts'
import { exchangeRoute } from './exchange.ts'
import { openRoute } from './open.ts'

/**
 * Authorization code flow with PKCE of the embedded issuer, for the console; none when an external issuer signs the
 * tokens.
 */
export function signInRoutes(deps: ApiDeps): Route[] {
  const { issuer } = deps
  const client = consoleClient(deps.config)
  if (issuer === undefined || client === undefined) return []
  return [
    discoveryRoute(deps.config),
    ...authorizeRoutes(deps, client),
    exchangeRoute({ db: deps.db, issuer }, client),
    openRoute(deps.config),
  ]
}
