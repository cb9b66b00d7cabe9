import { z } from 'zod'
import { findAccount } from '../../db/accounts/records.ts'
import { countCatalogs, listCatalogs } from '../../db/catalogs/catalogs.ts'
import { catalogResponses, toCatalogItemResponse } from '../../domain/catalogs/catalogs.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { pageQuery, type Page } from '../../domain/fields/pages.ts'
import { valueSums } from '../../domain/valuation/sums.ts'
import { resolveAccount, resolveReadable } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

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
