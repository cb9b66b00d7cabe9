import type { ApiDeps } from '../deps.ts'
import type { Metrics } from '../metrics.ts'
import type { Route } from '../route.ts'
import { autoTopUpRoutes } from './auto-top-up.ts'
import { cardRoutes } from './card.ts'
import { paymentListRoute } from './list.ts'
import { portalRoutes } from './portal.ts'
import { sessionRoute } from './session.ts'
import { webhookRoute } from './webhook.ts'

/** Buying credits and keeping a card on file. */
export const paymentRoutes = (deps: ApiDeps, metrics: Metrics): Route[] => [
  sessionRoute(deps),
  webhookRoute(deps, metrics),
  ...cardRoutes(deps),
  paymentListRoute(deps),
  ...autoTopUpRoutes(deps),
  ...portalRoutes(deps),
]
