import { z } from 'zod'
import { attachArtist, detachArtist, findArtist, lockArtist } from '../../db/artists/links.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { requireArtist, requireManager } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'
import { notFound } from '../http/errors.ts'

const link = z.object({ organization_id: uuid, artist_id: uuid })

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
    body: link,
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
    query: link,
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
