import { z } from 'zod'
import { listReachable } from '../../db/organizations/organizations.ts'
import { reachableSchema } from '../../domain/console/console.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import type { DbDeps } from '../deps.ts'
import { route, ok, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

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
