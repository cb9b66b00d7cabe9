import { findCatalogSums } from '../../db/catalogs/catalogs.ts'
import { toCatalogItemResponse, catalogItemSchema } from '../../domain/catalogs/catalogs.ts'
import { valueSums } from '../../domain/valuation/sums.ts'
import { requireCatalog } from '../access/catalogs.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { catalogParams, ownership, routeDefaults } from './route-defaults.ts'
import { notFound } from '../http/errors.ts'
import { successOf } from '../../domain/fields/fields.ts'

export function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/catalogs/{catalogId}',
    summary: 'Read a catalog with its size and value',
    description: 'The valuation is derived from the latest stored play counts; no provider is called.',
    ownership,
    params: catalogParams,
    responses: { 200: successOf({ catalog: catalogItemSchema }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId } }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const sums = await findCatalogSums(deps.db, catalogId)
      if (sums === undefined) throw notFound('Catalog')
      const catalog = toCatalogItemResponse({ ...sums, valuation: valueSums(sums, new Date()).band })
      return success({ catalog })
    },
  })
}
