import { readMeasuredSongs, type MeasuredSongs } from '../../db/measurements/latest.ts'
import { insertValuation } from '../../db/valuation/history.ts'
import {
  toMeasurementResponse,
  measurementPage,
  measurementQuery,
  toScopeResponse,
} from '../../domain/measurements/list.ts'
import type { Band } from '../../domain/valuation/band.ts'
import { valueSums } from '../../domain/valuation/sums.ts'
import { resolveAccount } from '../access/access.ts'
import { requireCatalog } from '../access/catalogs.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { catalogParams, ownership, routeDefaults } from './route-defaults.ts'
import { numberedPage, toPage } from '../../domain/fields/pages.ts'

export function measurementsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/catalogs/{catalogId}/measurements',
    summary: 'Read the latest play counts of a catalog and its valuation',
    description:
      'Sorted by plays, most first. Sums, age and valuation cover all songs of the scope, not only those of the page. ' +
      'The first request of each day (UTC) without artist_account_id adds an entry to the valuation history.',
    ownership,
    params: catalogParams,
    query: measurementQuery,
    responses: { 200: measurementPage },
    errors: ['forbidden', 'not_found'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, params: { catalogId }, query }) => {
      const { account_id: accountId = caller.accountId, artist_account_id: artistId = null } = query
      await requireCatalog(deps, caller, accountId, catalogId)
      const scope = { catalogId, artistId, since: query.since ?? null }
      const measured = await readMeasuredSongs(deps.db, scope, toPage(query))
      const { age, band } = valueSums(measured, new Date())
      if (artistId === null && band !== null && !measured.isValuedToday)
        await recordValue(deps, catalogId, measured, band)
      const { measuredSongCount, totalStreams } = measured
      return success({
        measurements: measured.songs.map(toMeasurementResponse),
        pagination: numberedPage(measuredSongCount, query),
        ...toScopeResponse({ artistId, measuredSongCount, totalStreams, ageYears: age.years, valuation: band }),
      })
    },
  })
}

/** Adds today's row to the valuation history. A failure is only logged, because the response does not depend on it. */
async function recordValue(
  { db, log }: RouteDeps,
  catalogId: string,
  { measuredSongCount, totalStreams }: MeasuredSongs,
  band: Band,
): Promise<void> {
  try {
    await insertValuation(db, { catalogId, band, measuredSongCount, totalStreams, runId: null })
  } catch (error) {
    log.warn({ err: error, catalogId }, 'failed to add the valuation of a catalog to its history')
  }
}
