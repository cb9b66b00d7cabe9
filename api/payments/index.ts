import type { PaymentDeps } from './route-defaults.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { Route } from '../http/route.ts'
import { autoTopUpRoutes } from './cards/auto-top-up.ts'
import { cardRoutes } from './cards/card.ts'
import { paymentListRoute } from './list.ts'
import { portalRoutes } from './portal.ts'
import { sessionRoute } from './session.ts'
import { webhookRoute } from './events/webhook.ts'

/** Routes of credit purchases and of the card on file. */
export function paymentRoutes(deps: PaymentDeps, metrics: Metrics): Route[] {
  return [
    sessionRoute(deps),
    webhookRoute(deps, metrics),
    ...cardRoutes(deps),
    paymentListRoute(deps),
    ...autoTopUpRoutes(deps),
    ...portalRoutes(deps),
  ]
}
