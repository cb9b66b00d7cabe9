import { z } from 'zod'
import { readArtist } from '../../db/artists/artists.ts'
import { toArtistResponse, artistSchema } from '../../domain/artists/artists.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { requireKnownArtist, requireOrganization, resolveAccount } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
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
    responses: { 200: z.object({ status: z.literal('success'), artist: artistSchema }) },
    errors: ['forbidden', 'not_found'],
    authorize: async ({ caller, query }) => {
      const accountId = await resolveAccount(deps, caller, query.account_id)
      if (query.organization_id !== undefined) await requireOrganization(deps, caller, accountId, query.organization_id)
    },
    handle: async ({ caller, params: { id }, query }) => {
      const accountId = query.account_id ?? caller.accountId
      await requireKnownArtist(deps, caller, accountId, id)
      const artist = await readArtist(deps.db, { accountId, organizationId: query.organization_id }, id)
      return { status: 200, body: { status: 'success', artist: toArtistResponse(artist) } }
    },
  })
}
