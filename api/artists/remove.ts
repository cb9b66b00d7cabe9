import { z } from 'zod'
import { deleteRosterRow, deleteUnreferencedArtist, lockArtist } from '../../db/artists/links.ts'
import { deleteTexts } from '../../db/artists/texts.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { requireArtist, resolveAccount } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, artistParams, ownership } from './route-defaults.ts'

export function removeRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/artists/{id}',
    summary: 'Remove an artist from the roster',
    description:
      "Deletes the account's own data about the artist. Deletes the artist itself if no roster, organization, session or " +
      'task refers to it any longer. 409: the account has the artist only through an organization; detach it there.',
    ownership,
    params: artistParams,
    example: { account_id: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42' },
    body: z.object({ account_id: uuid.optional() }),
    bodyOptional: true,
    responses: { 200: successOf({ success: z.literal(true), artistId: z.guid() }) },
    errors: ['forbidden', 'not_found', 'conflict'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: async ({ caller, params: { id: artistId }, body }) => {
      const accountId = body.account_id ?? caller.accountId
      await deps.db.begin(async (tx) => {
        if ((await lockArtist(tx, artistId, 'delete')) === undefined) throw notFound('Artist')
        await requireArtist({ config: deps.config, db: tx }, caller, accountId, artistId)
        if (!(await deleteRosterRow(tx, accountId, artistId)))
          throw new ApiError('conflict', 'Artist is not on the roster of this account; detach it from the organization')
        await deleteTexts(tx, { workspaceId: accountId, artistId })
        await deleteUnreferencedArtist(tx, artistId)
      })
      return success({ success: true, artistId })
    },
  })
}
