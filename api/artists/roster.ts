import { z } from 'zod'
import {
  lockArtist,
  upsertRosterRow,
  deleteRosterRow,
  deleteUnreferencedArtist,
  attachArtist,
  detachArtist,
  findArtist,
} from '../../db/artists/links.ts'
import { hasStreamingProfile } from '../../db/artists/socials.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { requireArtist, resolveAccount, requireManager } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, artistParams, ownership } from './route-defaults.ts'
import { notFound, ApiError } from '../http/errors.ts'
import { deleteTexts } from '../../db/artists/texts.ts'

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

const attachment = z.object({ organization_id: uuid, artist_id: uuid })

export function attachRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/organizations/artists',
    summary: 'Attach an artist to an organization',
    widensAccess: true,
    description: 'Gives all members access to the artist. A repeated call returns the same id.',
    ownership: 'The caller must be a member of the organization and have access to the artist.',
    idempotent: 'before-validation',
    example: {
      organization_id: 'c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f',
      artist_id: '9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68',
    },
    body: attachment,
    responses: { 200: successOf({ id: z.guid() }) },
    errors: ['not_found'],
    handle: ({ caller, body, idempotency }) =>
      deps.db.begin(async (tx) => {
        const { organization_id: organizationId, artist_id: artistId } = body
        recordAuditObject(caller, `${organizationId}/${artistId}`)
        const access = { config: deps.config, db: tx }
        const artist = await lockArtist(tx, artistId, 'keep')
        await requireManager(access, caller, organizationId)
        if (artist === undefined) throw notFound('Artist')
        await requireArtist(access, caller, caller.accountId, artistId)
        const id = await attachArtist(tx, organizationId, artistId)
        return idempotency.remember(tx, success({ id }))
      }),
  })
}

export function detachRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/organizations/artists',
    summary: 'Detach an artist from an organization',
    widensAccess: true,
    description:
      "The call is safe to repeat. The organization's own data about the artist is kept in case the artist is attached again.",
    ownership: 'The caller must be a member of the organization.',
    query: attachment,
    responses: { 200: successOf({}) },
    errors: ['not_found'],
    handle: async ({ caller, query: { organization_id: organizationId, artist_id: artistId } }) => {
      recordAuditObject(caller, `${organizationId}/${artistId}`)
      await requireManager(deps, caller, organizationId)
      if ((await findArtist(deps.db, artistId)) === undefined) throw notFound('Artist')
      await detachArtist(deps.db, organizationId, artistId)
      return success({})
    },
  })
}
