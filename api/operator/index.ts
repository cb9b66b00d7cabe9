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
      tag: { name: 'Operator', description: 'State of the deployment, for its operators.' },
      summary: 'Read the health, queues, rates, alerts and slow routes of all processes',
      description:
        'Each process writes its state to a row every five seconds. The response combines the rows of all processes.',
      auth: 'key-or-bearer',
      ownership: 'Members of the admin organization only. Returns no account data.',
      envelope: 'standard',
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
