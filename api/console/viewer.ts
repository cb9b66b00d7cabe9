import { findAccount } from '../../db/accounts/records.ts'
import { viewerSchema } from '../../domain/console/console.ts'
import { isAdmin } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, ok, type Caller, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

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
