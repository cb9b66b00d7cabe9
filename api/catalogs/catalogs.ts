import { z } from 'zod'
import { findAccount } from '../../db/accounts/records.ts'
import {
  countCatalogs,
  listCatalogs,
  findCatalogSums,
  deleteCatalog,
  renameCatalog,
} from '../../db/catalogs/catalogs.ts'
import {
  catalogResponses,
  toCatalogItemResponse,
  catalogItemSchema,
  catalogChanges,
  toCatalogResponse,
} from '../../domain/catalogs/catalogs.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { pageQuery, type Page } from '../../domain/fields/pages.ts'
import { valueSums } from '../../domain/valuation/sums.ts'
import { resolveAccount, resolveReadable } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, catalogParams, ownership } from './route-defaults.ts'
import { requireCatalog } from '../access/catalogs.ts'
import { listValuations } from '../../db/valuation/history.ts'
import { toValuationResponse } from '../../domain/valuation/history.ts'
import { valuationHistory } from '../../domain/valuation/request.ts'

const page = pageQuery(100, 50, 1_000_000)

const listDefaults = {
  ...routeDefaults,
  method: 'GET',
  sharedReads: true,
  description:
    'Returns the catalogs of the account and of its organizations, newest first. The valuation is computed from the latest ' +
    'stored play counts; no provider is called.',
  responses: { 200: catalogResponses.list },
} as const

export function listRoute(deps: RouteDeps): Route {
  return route({
    ...listDefaults,
    path: '/api/catalogs',
    summary: 'List catalogs with their size and value',
    ownership: 'Catalogs of the caller, or of an account that the caller may act for.',
    query: z.object({ account_id: uuid.optional(), ...page }),
    errors: ['forbidden'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: ({ caller, query }) => readCatalogPage(deps, query.account_id ?? caller.accountId, query),
  })
}

export function listAccountCatalogsRoute(deps: RouteDeps): Route {
  return route({
    ...listDefaults,
    path: '/api/accounts/{id}/catalogs',
    summary: 'List the catalogs of an account',
    ownership:
      "The caller, or an account that the caller may act for; with a bearer token, also the caller's organizations.",
    params: z.object({ id: uuid }),
    query: z.object(page),
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { id }, query }) => {
      if ((await findAccount(deps.db, id)) === undefined) throw notFound('Account')
      await resolveReadable(deps, caller, id)
      return readCatalogPage(deps, id, query)
    },
  })
}

async function readCatalogPage({ db }: RouteDeps, accountId: string, { limit, offset }: Page) {
  const [catalogs, count] = await Promise.all([
    listCatalogs(db, accountId, { limit, offset }),
    countCatalogs(db, accountId),
  ])
  const now = new Date()
  return success({
    catalogs: catalogs.map((catalog) => toCatalogItemResponse({ ...catalog, valuation: valueSums(catalog, now).band })),
    pagination: { total_count: count, limit, offset },
  })
}

export function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/catalogs/{catalogId}',
    summary: 'Read a catalog with its size and value',
    description: 'The valuation is derived from the latest stored play counts; no provider is called.',
    ownership,
    params: catalogParams,
    responses: { 200: successOf({ catalog: catalogItemSchema }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId } }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const sums = await findCatalogSums(deps.db, catalogId)
      if (sums === undefined) throw notFound('Catalog')
      const catalog = toCatalogItemResponse({ ...sums, valuation: valueSums(sums, new Date()).band })
      return success({ catalog })
    },
  })
}

export function renameRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    path: '/api/catalogs/{catalogId}',
    summary: 'Rename a catalog',
    ownership,
    params: catalogParams,
    example: { name: 'Early recordings' },
    body: catalogChanges,
    responses: { 200: catalogResponses.changed },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId }, body }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const catalog = await renameCatalog(deps.db, catalogId, body.name)
      if (catalog === undefined) throw notFound('Catalog')
      return success({ catalog: toCatalogResponse(catalog) })
    },
  })
}

export function removeRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/catalogs/{catalogId}',
    summary: 'Delete a catalog',
    description:
      'Also deletes its list of songs, its owners and its valuation history. Measurements and snapshots are kept; a snapshot ' +
      'can be used to create a catalog again.',
    ownership,
    params: catalogParams,
    responses: { 200: catalogResponses.deleted },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId } }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const releasedSnapshotIds = await deps.db.begin((tx) => deleteCatalog(tx, catalogId))
      return success({ catalog_id: catalogId, released_snapshot_ids: releasedSnapshotIds })
    },
  })
}

export function valuationsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/catalogs/{catalogId}/valuations',
    summary: 'List the valuations of a catalog, newest first',
    description: 'Contains an entry for each valuation, and one for the first read of measurements on each day (UTC).',
    ownership,
    params: catalogParams,
    query: z.object(pageQuery(100, 30, 1_000_000)),
    responses: { 200: valuationHistory },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { catalogId }, query: { limit, offset } }) => {
      await requireCatalog(deps, caller, caller.accountId, catalogId)
      const valuations = await listValuations(deps.db, catalogId, { limit, offset })
      return success({ valuations: valuations.map(toValuationResponse) })
    },
  })
}
