import type { ApiDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { attachRoute, detachRoute } from './attach.ts'
import { createRoute } from './create.ts'
import { linkRoute } from './link.ts'
import { listRoute } from './list.ts'
import { removeRoute } from './remove.ts'
import { listSocialsRoute, removeSocialRoute } from './socials.ts'
import { updateRoute } from './update.ts'

export const artistRoutes = (deps: ApiDeps): Route[] => [
  listRoute(deps),
  createRoute(deps),
  linkRoute(deps),
  updateRoute(deps),
  removeRoute(deps),
  attachRoute(deps),
  detachRoute(deps),
  listSocialsRoute(deps),
  removeSocialRoute(deps),
]
