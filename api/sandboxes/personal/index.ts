import type { Route } from '../../http/route.ts'
import type { StagedFileDeps } from '../../staged-files/commit.ts'
import { stagedFileRoutes } from '../../staged-files/index.ts'
import { fileRoute } from './file.ts'
import { listRoute } from './list.ts'
import { removeRoute } from './remove.ts'
import type { PersonalDeps } from './route-defaults.ts'
import { setupRoute } from './setup.ts'

/** Routes of the personal sandbox of an account. */
export function personalRoutes(deps: PersonalDeps & StagedFileDeps): Route[] {
  return [listRoute(deps), removeRoute(deps), setupRoute(deps), ...stagedFileRoutes(deps), fileRoute(deps)]
}
