import type { ApiDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { claimRoute } from './claim.ts'
import { subscriptionRoute } from './read.ts'
import { subscriptionSessionRoute } from './sessions.ts'

export const subscriptionRoutes = (deps: ApiDeps): Route[] => [
  subscriptionSessionRoute(deps),
  claimRoute(deps),
  subscriptionRoute(deps),
]
