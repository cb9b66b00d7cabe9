import { upsertRosterRow } from '../../db/artists/links.ts'
import { insertCatalog } from '../../db/catalogs/catalogs.ts'
import { claimSnapshot, findDominantArtist, findSnapshot } from '../../db/catalogs/claim.ts'
import {
  catalogResponses,
  catalogName,
  toCatalogResponse,
  newCatalog,
  type Catalog,
} from '../../domain/catalogs/catalogs.ts'
import { requireOrganization } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, invalidField, notFound } from '../http/errors.ts'
import { route, success, type Caller, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

export function createRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/catalogs',
    summary: 'Create a catalog, empty or from a snapshot',
    description:
      'With the id of a finished measurement job, creates the catalog from its measured songs and adds the artist with the ' +
      "most songs to the caller's roster. A snapshot can create only one catalog: a repeated call returns that catalog " +
      'and adds nothing.',
    ownership:
      "The snapshot must be the caller's. The catalog belongs to the caller, or to an organization of the caller.",
    idempotent: 'before-validation',
    example: { name: 'Early recordings' },
    body: newCatalog,
    responses: { 200: catalogResponses.created },
    errors: ['forbidden', 'not_found'],
    authorize: async ({ caller, body }) => {
      if (body.organization_id !== undefined)
        await requireOrganization(deps, caller, caller.accountId, body.organization_id)
    },
    handle: async ({ caller, body, idempotency }) => {
      const { snapshot: snapshotId, organization_id: ownerId = caller.accountId, name = null } = body
      if (snapshotId !== undefined) await requireSnapshot(deps, caller, snapshotId)
      const response = await deps.db.begin(async (tx) => {
        const created =
          snapshotId === undefined
            ? { catalog: await insertCatalog(tx, { name: catalogName(name), ownerId }), songsAdded: 0 }
            : await claimSnapshot(tx, { snapshotId, ownerId, name })
        recordAuditObject(caller, created.catalog.id)
        return idempotency.remember(tx, toResponse(created))
      })
      if (snapshotId !== undefined) await addToRoster(deps, caller.accountId, snapshotId)
      return response
    },
  })
}

async function requireSnapshot(deps: RouteDeps, caller: Caller, id: string): Promise<void> {
  const snapshot = await findSnapshot(deps.db, id)
  if (snapshot === undefined) throw notFound('Snapshot')
  if (snapshot.accountId !== caller.accountId) throw new ApiError('forbidden', 'Access denied to this snapshot')
  if (snapshot.state !== 'done') throw invalidField('snapshot must be a finished measurement job', 'snapshot')
}

function toResponse(created: { catalog: Catalog; songsAdded: number }) {
  return success({ catalog: toCatalogResponse(created.catalog), songs_added: created.songsAdded })
}

/** Adds the artist to the roster. A failure is only logged, because the catalog does not depend on it. */
async function addToRoster({ db, log }: RouteDeps, accountId: string, snapshotId: string): Promise<void> {
  try {
    const artist = await findDominantArtist(db, snapshotId)
    if (artist !== undefined) await db.begin((tx) => upsertRosterRow(tx, { accountId, artistId: artist.id }))
  } catch (error) {
    log.warn({ err: error, accountId, snapshotId }, 'failed to add the artist of a catalog to the roster')
  }
}
