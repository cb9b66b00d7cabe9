import { z } from 'zod'
import { readArtist, listArtists } from '../../db/artists/artists.ts'
import { toArtistResponse, artistSchema } from '../../domain/artists/artists.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { requireKnownArtist, resolveWorkspace } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { artistParams, ownership, routeDefaults } from './route-defaults.ts'
import {
  countedPage,
  countedPagination,
  pageQuery,
  numberedPage,
  toPage,
  numberedQuery,
} from '../../domain/fields/pages.ts'
import { listSongsOfArtist } from '../../db/catalogs/artist-songs.ts'
import { artistProfileResponse, toArtistProfileResponse } from '../../domain/artists/public-profile.ts'

export function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/artists/{id}',
    summary: 'Read an artist as a workspace sees it',
    description: 'The workspace is the named organization, or the account by default.',
    ownership,
    params: artistParams,
    query: z.object({ account_id: uuid.optional(), organization_id: uuid.optional() }),
    responses: { 200: successOf({ artist: artistSchema }) },
    errors: ['forbidden', 'not_found'],
    authorize: ({ caller, query }) => resolveWorkspace(deps, caller, query),
    handle: async ({ caller, params: { id }, query }) => {
      const accountId = query.account_id ?? caller.accountId
      await requireKnownArtist(deps, caller, accountId, id)
      const artist = await readArtist(deps.db, { accountId, organizationId: query.organization_id }, id)
      return success({ artist: toArtistResponse(artist) })
    },
  })
}

const query = z.object({
  account_id: uuid.optional(),
  organization_id: uuid.optional(),
  org_id: uuid.optional().meta({ description: 'Alias of organization_id.' }),
  ...pageQuery(200, 100, 1_000_000),
})

export function listRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/artists',
    sharedReads: true,
    summary: 'List artists: pinned artists first, then by name',
    description:
      'Returns the roster of the account or, with organization_id, the artists attached to that organization.',
    ownership:
      'The roster of the caller or of an account it may act for. The artists of an organization are visible to its members.',
    query,
    responses: { 200: successOf({ artists: z.array(artistSchema), pagination: countedPagination }) },
    errors: ['forbidden'],
    authorize: ({ caller, query }) =>
      resolveWorkspace(deps, caller, { ...query, organization_id: pickOrganizationId(query) }),
    handle: async ({ caller, query }) => {
      const { account_id: accountId = caller.accountId, limit, offset } = query
      const view = { accountId, organizationId: pickOrganizationId(query) }
      const { rows, nextOffset, count } = await listArtists(deps.db, view, { limit, offset })
      return success({
        artists: rows.map(toArtistResponse),
        pagination: countedPage(count, { limit, offset }, nextOffset),
      })
    },
  })
}

function pickOrganizationId({ organization_id, org_id }: z.output<typeof query>): string | undefined {
  return organization_id ?? org_id
}

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
