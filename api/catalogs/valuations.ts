import { z } from 'zod'
import { listValuations } from '../../db/valuation/history.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { toValuationResponse } from '../../domain/valuation/history.ts'
import { valuationHistory } from '../../domain/valuation/request.ts'
import { requireCatalog } from '../access/catalogs.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { catalogParams, ownership, routeDefaults } from './route-defaults.ts'

export function valuationsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/catalogs/{catalogId}/valuations',
    summary: 'List the valuations of a catalog, newest first',
    description: 'Contains an entry for each valuation, and one for the first read of measurements on each day (UTC).',
    ownership,
    params: catalogParams,
    query: z.object(pageQuery(100, 30, 1_000_000)),
    responses: { 200: valuationHistory },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId }, query: { limit, offset } }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const valuations = await listValuations(deps.db, catalogId, { limit, offset })
      return success({ valuations: valuations.map(toValuationResponse) })
    },
  })
}
