import { z } from 'zod'
import { readArtist } from '../../db/artists/artists.ts'
import { listSongsOfArtist } from '../../db/catalogs/artist-songs.ts'
import { artistProfileResponse, toArtistProfileResponse } from '../../domain/artists/public-profile.ts'
import { requireKnownArtist } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { artistParams, routeDefaults } from './route-defaults.ts'
import { numberedPage, toPage, numberedQuery } from '../../domain/fields/pages.ts'

export function profileRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/artists/{id}/profile',
    summary: 'Read the public profile of an artist and its songs in your catalogs',
    description:
      'Contains only shared data, without the data that workspaces keep about the artist or a song. Songs are grouped by ' +
      'catalog, newest catalog first, and sorted by plays; the page size counts songs.',
    ownership:
      "The artist must be on the caller's roster or be attached to one of the caller's organizations. Only catalogs of these owners are included.",
    params: artistParams,
    query: z.object(numberedQuery(50)),
    responses: { 200: artistProfileResponse },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { id: artistId }, query }) => {
      const { accountId } = caller
      await requireKnownArtist(deps, caller, accountId, artistId)
      const [{ shared, socials }, { songs, count }] = await Promise.all([
        readArtist(deps.db, { accountId }, artistId),
        listSongsOfArtist(deps.db, { accountId, artistId }, toPage(query)),
      ])
      return success({
        profile: toArtistProfileResponse(shared, socials, songs, new Date()),
        pagination: numberedPage(count, query),
      })
    },
  })
}
