import { consentRoutes, type ConsentDeps } from '../embedded/consent.ts'
import type { Route } from '../http/route.ts'
import { executeRoute, listActionsRoute } from './actions.ts'
import { callbackRoute } from './callback.ts'
import { decideConfirmationRoute, showConfirmationRoute } from './confirmations.ts'
import { authorizeRoute, listConnectorsRoute, disconnectRoute } from './connect.ts'
import { actionFileRoute } from './action-files.ts'
import type { ConnectorDeps } from './route-defaults.ts'

export function connectorRoutes(deps: ConnectorDeps & ConsentDeps): Route[] {
  return [
    listConnectorsRoute(deps),
    authorizeRoute(deps),
    callbackRoute(deps),
    showConfirmationRoute(deps),
    decideConfirmationRoute(deps),
    disconnectRoute(deps),
    listActionsRoute(deps),
    executeRoute(deps),
    actionFileRoute(deps),
    ...consentRoutes(deps),
  ]
}
