import type { RouteDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { creditsRoute } from './credits.ts'
import { entriesRoute } from './entries.ts'
import { usageRoute } from './usage.ts'

/** Routes for the balance, ledger and usage of an account. Payments have their own routes. */
export function ledgerRoutes(deps: RouteDeps): Route[] {
  return [creditsRoute(deps), entriesRoute(deps), usageRoute(deps)]
}
