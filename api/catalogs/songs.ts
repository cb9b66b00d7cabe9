import { countSongs, listSongs } from '../../db/catalogs/songs.ts'
import { toSongResponse, songPage, songQuery } from '../../domain/catalogs/songs.ts'
import { toNextOffset, numberedPage, toPage } from '../../domain/fields/pages.ts'
import { requireCatalog } from '../access/catalogs.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { ownership, routeDefaults } from './route-defaults.ts'

export function listSongsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/catalogs/songs',
    summary: 'List the songs of a catalog',
    description:
      'Sorted by recording code, descending. artistName filters by the exact name of an artist, ignoring case. A catalog ' +
      'without songs gives 404.',
    ownership,
    query: songQuery,
    responses: { 200: songPage },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, query }) => {
      const { catalog_id: catalogId, artistName } = query
      const page = { ...toPage(query), ...(query.offset !== undefined && { offset: query.offset }) }
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const filter = { catalogIds: [catalogId], artistName }
      const [{ rows, nextOffset }, count] = await Promise.all([
        listSongs(deps.db, filter, page),
        countSongs(deps.db, filter),
      ])
      if (count.all === 0) throw new ApiError('not_found', 'Catalog has no songs')
      return success({
        songs: rows.map(toSongResponse),
        pagination: { ...numberedPage(count.matching, query), ...toNextOffset(nextOffset) },
      })
    },
  })
}
