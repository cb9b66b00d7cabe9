import { z } from 'zod'
import { findCatalogSums } from '../../db/catalogs/catalogs.ts'
import { toCatalogItemResponse, catalogItemSchema } from '../../domain/catalogs/catalogs.ts'
import { valueSums } from '../../domain/valuation/sums.ts'
import { catalogNotFound, requireCatalog } from '../access/catalogs.ts'
import type { RouteDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { catalogParams, ownership, routeDefaults } from './route-defaults.ts'

export function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/catalogs/{catalogId}',
    summary: 'Read a catalog with its size and value',
    description: 'The valuation is derived from the latest stored play counts; no provider is called.',
    ownership,
    params: catalogParams,
    responses: { 200: z.object({ status: z.literal('success'), catalog: catalogItemSchema }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId } }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const sums = await findCatalogSums(deps.db, catalogId)
      if (sums === undefined) throw catalogNotFound()
      const catalog = toCatalogItemResponse({ ...sums, valuation: valueSums(sums, new Date()).band })
      return { status: 200, body: { status: 'success', catalog } }
    },
  })
}
