import { isAdmin } from '../access/access.ts'
import { overviewSchema } from '../../domain/operator/overview.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, type Route } from '../http/route.ts'
import { createOverview } from './overview.ts'

export function operatorRoutes(deps: ApiDeps): Route[] {
  const readOverview = createOverview(deps)
  return [
    route({
      method: 'GET',
      path: '/api/operator/overview',
      tag: { name: 'Operator', description: 'What the people who run the deployment look at.' },
      summary: 'All processes together: health, queues, rates, alerts, slow routes',
      description:
        'Each process writes what it does into one row every five seconds; the answer puts the rows together, whichever process is asked.',
      auth: 'key-or-bearer',
      ownership: 'Members of the admin organization only; shows no rows of accounts.',
      envelope: 'e2',
      bodyLimit: 0,
      rate: 'default',
      responses: { 200: overviewSchema },
      errors: ['forbidden'],
      authorize: async ({ caller }) => {
        if (!(await isAdmin(deps, caller)))
          throw new ApiError('forbidden', 'Only members of the admin organization may see this')
      },
      handle: async () => ({ status: 200, body: await readOverview() }),
    }),
  ]
}
