import type { CatalogDeps } from './route-defaults.ts'
import type { Route } from '../http/route.ts'
import { createRoute } from './create.ts'
import { measurementsRoute } from './measurements.ts'
import { listSongsRoute, addSongsRoute, removeSongsRoute } from './songs.ts'
import {
  removeRoute,
  renameRoute,
  listAccountCatalogsRoute,
  listRoute,
  readRoute,
  valuationsRoute,
} from './catalogs.ts'

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
