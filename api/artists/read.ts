import { z } from 'zod'
import { readArtist } from '../../db/artists/artists.ts'
import { toArtistResponse, artistSchema } from '../../domain/artists/artists.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { requireKnownArtist, resolveWorkspace } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { artistParams, ownership, routeDefaults } from './route-defaults.ts'

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
