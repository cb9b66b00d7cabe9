import type { ArtistDeps } from './route-defaults.ts'
import type { Route } from '../http/route.ts'
import { attachRoute, detachRoute } from './attach.ts'
import { createRoute } from './create.ts'
import { linkRoute } from './link.ts'
import { listRoute } from './list.ts'
import { listPostsRoute } from './posts.ts'
import { profileRoute } from './profile.ts'
import { readRoute } from './read.ts'
import { removeRoute } from './remove.ts'
import { searchRoute } from './search.ts'
import { listSocialsRoute, removeSocialRoute } from './socials.ts'
import { updateRoute } from './update.ts'

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
