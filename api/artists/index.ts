import type { ArtistDeps } from './route-defaults.ts'
import type { Route } from '../http/route.ts'
import { createRoute } from './create.ts'
import { readRoute, listRoute, profileRoute } from './read.ts'
import { searchRoute } from './search.ts'
import { listSocialsRoute, removeSocialRoute, listPostsRoute } from './socials.ts'
import { updateRoute } from './update.ts'
import { attachRoute, detachRoute, linkRoute, removeRoute } from './roster.ts'

export function artistRoutes(deps: ArtistDeps): Route[] {
  return [
    listRoute(deps),
    createRoute(deps),
    linkRoute(deps),
    readRoute(deps),
    profileRoute(deps),
    updateRoute(deps),
    removeRoute(deps),
    attachRoute(deps),
    detachRoute(deps),
    listSocialsRoute(deps),
    listPostsRoute(deps),
    removeSocialRoute(deps),
    searchRoute(deps),
  ]
}
