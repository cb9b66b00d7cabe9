import { deleteCatalog, renameCatalog } from '../../db/catalogs/catalogs.ts'
import { catalogResponses, catalogChanges, toCatalogResponse } from '../../domain/catalogs/catalogs.ts'
import { requireCatalog } from '../access/catalogs.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { catalogParams, ownership, routeDefaults } from './route-defaults.ts'
import { notFound } from '../http/errors.ts'

export function renameRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    path: '/api/catalogs/{catalogId}',
    summary: 'Rename a catalog',
    ownership,
    params: catalogParams,
    example: { name: 'Early recordings' },
    body: catalogChanges,
    responses: { 200: catalogResponses.changed },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId }, body }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const catalog = await renameCatalog(deps.db, catalogId, body.name)
      if (catalog === undefined) throw notFound('Catalog')
      return success({ catalog: toCatalogResponse(catalog) })
    },
  })
}

export function removeRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/catalogs/{catalogId}',
    summary: 'Delete a catalog',
    description:
      'Also deletes its list of songs, its owners and its valuation history. Measurements and snapshots are kept; a snapshot ' +
      'can be used to create a catalog again.',
    ownership,
    params: catalogParams,
    responses: { 200: catalogResponses.deleted },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId } }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const releasedSnapshotIds = await deps.db.begin((tx) => deleteCatalog(tx, catalogId))
      return success({ catalog_id: catalogId, released_snapshot_ids: releasedSnapshotIds })
    },
  })
}
