import type { WorkDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { inviteRoute, membersRoute, acceptRoute, removeRoute } from './members.ts'
import { createRoute, listRoute, readRoute } from './organizations.ts'

export function organizationRoutes(deps: WorkDeps): Route[] {
  return [
    listRoute(deps),
    readRoute(deps),
    createRoute(deps),
    membersRoute(deps),
    inviteRoute(deps),
    acceptRoute(deps),
    removeRoute(deps),
  ]
}
