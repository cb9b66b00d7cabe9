import type { PaymentDeps } from '../payments/route-defaults.ts'
import type { Route } from '../http/route.ts'
import { claimRoute } from './claim.ts'
import { subscriptionRoute } from './read.ts'
import { subscriptionSessionRoute } from './sessions.ts'

export function subscriptionRoutes(deps: PaymentDeps): Route[] {
  return [subscriptionSessionRoute(deps), claimRoute(deps), subscriptionRoute(deps)]
}
