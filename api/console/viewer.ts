import { z } from 'zod'
import { findAccount } from '../../db/accounts/records.ts'
import { viewerSchema, reachableSchema } from '../../domain/console/console.ts'
import { isAdmin } from '../access/access.ts'
import type { RouteDeps, DbDeps } from '../deps.ts'
import { route, ok, type Caller, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'
import { listReachable } from '../../db/organizations/organizations.ts'
import { pageQuery } from '../../domain/fields/pages.ts'

export function viewerRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/console/me',
    summary: 'Read the caller and the expiry of its credential',
    auth: 'key-or-bearer',
    ownership: "Returns only the caller's own account.",
    responses: { 200: viewerSchema },
    handle: async ({ caller }) => {
      const viewer = await readViewer(deps, caller)
      return ok({ ...viewer, via: caller.via, expiresAt: caller.expiresAt?.toISOString() ?? null })
    },
  })
}

/** Returns the account of a caller and whether the caller has admin rights. */
export async function readViewer(deps: RouteDeps, caller: Caller) {
  const [account, admin] = await Promise.all([findAccount(deps.db, caller.accountId), isAdmin(deps, caller)])
  return {
    accountId: caller.accountId,
    name: account?.name ?? null,
    email: account?.emails[0] ?? null,
    isAdmin: admin,
  }
}

export function accountsRoute({ db }: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/console/accounts',
    summary: 'List the accounts that the caller may act for',
    auth: 'key-or-bearer',
    description:
      'Returns the values of `account_id` other than the id of the caller: people who share an organization with the caller ' +
      'and, for a key, the organizations themselves. A member of the admin organization may also use any other account.',
    ownership: 'Members of the organizations of the caller, with the names that they use there.',
    query: z.object(pageQuery(200, 100)),
    responses: { 200: z.object({ accounts: z.array(reachableSchema) }) },
    handle: async ({ caller, query }) => {
      const accounts = await listReachable(db, caller.accountId, { withOrganizations: caller.via === 'key', ...query })
      return ok({ accounts })
    },
  })
}
