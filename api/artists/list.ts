import { z } from 'zod'
import { listArtists } from '../../db/artists/artists.ts'
import { toArtistResponse, artistSchema } from '../../domain/artists/artists.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { countedPage, countedPagination, pageQuery } from '../../domain/fields/pages.ts'
import { resolveWorkspace } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

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
