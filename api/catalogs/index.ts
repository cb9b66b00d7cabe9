import type { CatalogDeps } from './route-defaults.ts'
import type { Route } from '../http/route.ts'
import { removeRoute, renameRoute } from './change.ts'
import { createRoute } from './create.ts'
import { listAccountCatalogsRoute, listRoute } from './list.ts'
import { measurementsRoute } from './measurements.ts'
import { addSongsRoute, removeSongsRoute } from './song-changes.ts'
import { readRoute } from './read.ts'
import { listSongsRoute } from './songs.ts'
import { valuationsRoute } from './valuations.ts'

export function catalogRoutes(deps: CatalogDeps): Route[] {
  return [
    listRoute(deps),
    listAccountCatalogsRoute(deps),
    createRoute(deps),
    readRoute(deps),
    renameRoute(deps),
    removeRoute(deps),
    listSongsRoute(deps),
    addSongsRoute(deps),
    removeSongsRoute(deps),
    measurementsRoute(deps),
    valuationsRoute(deps),
  ]
}
