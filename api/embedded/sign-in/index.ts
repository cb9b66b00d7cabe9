import { consoleClient } from '../../../config.ts'
import type { IssuerDeps } from '../identity.ts'
import type { Route } from '../../http/route.ts'
import { authorizeRoutes } from './authorize.ts'
import { discoveryRoute } from './discovery.ts'
import { exchangeRoute } from './exchange.ts'
import { openRoute } from './open.ts'

/**
 * Returns the routes of the embedded issuer's authorization code flow with PKCE, which the console uses; none with an
 * external issuer.
 */
export function signInRoutes(deps: IssuerDeps): Route[] {
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
