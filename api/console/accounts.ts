import { z } from 'zod'
import { listReachable } from '../../db/organizations/organizations.ts'
import { reachableSchema } from '../../domain/console/console.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import type { ApiDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

export function accountsRoute({ db }: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/console/accounts',
    summary: 'Whom the caller may act for',
    auth: 'key-or-bearer',
    description:
      'The values that `account_id` may have besides the own id: people who share an organization with the caller, and with a ' +
      'key the organizations themselves. A member of the admin organization may name any other one, too.',
    ownership: 'Members of the organizations of the caller, by the name that they have there.',
    query: z.object(pageQuery(200, 100)),
    responses: { 200: z.object({ accounts: z.array(reachableSchema) }) },
    handle: async ({ caller, query }) => {
      const accounts = await listReachable(db, caller.accountId, { withOrganizations: caller.via === 'key', ...query })
      return { status: 200, body: { accounts } }
    },
  })
}
