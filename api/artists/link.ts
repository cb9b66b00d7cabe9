import { z } from 'zod'
import { lockArtist, upsertRosterRow } from '../../db/artists/links.ts'
import { hasStreamingProfile } from '../../db/artists/socials.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { requireArtist, resolveAccount } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'
import { notFound } from '../http/errors.ts'

export function linkRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/accounts/artists',
    summary: 'Add an existing artist to the roster',
    widensAccess: true,
    description: 'The call is safe to repeat.',
    ownership:
      'The roster of the caller, or of an account that the caller may act for. The artist must have a streaming profile or ' +
      'be accessible to the account.',
    idempotent: 'before-validation',
    example: { artist_id: '9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68' },
    body: z.object({ artist_id: uuid, account_id: uuid.optional() }),
    responses: { 200: successOf({ artist_id: z.guid() }) },
    errors: ['not_found'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: ({ caller, body, idempotency }) =>
      deps.db.begin(async (tx) => {
        const { artist_id: artistId, account_id: accountId = caller.accountId } = body
        recordAuditObject(caller, artistId)
        if ((await lockArtist(tx, artistId, 'keep')) === undefined) throw notFound('Artist')
        // Knowing the id must not give access to an artist that is not public.
        if (!(await hasStreamingProfile(tx, artistId)))
          await requireArtist({ config: deps.config, db: tx }, caller, accountId, artistId)
        await upsertRosterRow(tx, { accountId, artistId })
        return idempotency.remember(tx, success({ artist_id: artistId }))
      }),
  })
}
