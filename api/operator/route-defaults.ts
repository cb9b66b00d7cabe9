import type { DiskSpace } from '../../providers/disk-space.ts'
import { isAdmin } from '../access/access.ts'
import type { RouteDeps, WorkDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { standardRoute, type Caller } from '../http/route.ts'

/** `disk`: the disk that holds DATA_DIR. */
export type OperatorDeps = WorkDeps & { disk: DiskSpace }

export function routeDefaults(deps: RouteDeps) {
  return {
    ...standardRoute,
    method: 'GET',
    tag: { name: 'Operator', description: 'State of the deployment, for its operators.' },
    ownership: 'Members of the admin organization only. Returns no account data.',
    bodyLimit: 0,
    errors: ['forbidden'],
    authorize: async ({ caller }: { caller: Caller }): Promise<void> => {
      if (!(await isAdmin(deps, caller)))
        throw new ApiError('forbidden', 'Only members of the admin organization may see this')
    },
  } as const
}
