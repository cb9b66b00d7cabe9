import type { Route } from '../../http/route.ts'
import { commitFilesRoute, type StagedFileDeps } from './commit-files.ts'
import { fileRoute } from './file.ts'
import { listRoute } from './list.ts'
import { removeRoute } from './remove.ts'
import type { PersonalDeps } from './route-defaults.ts'
import { setupRoute } from './setup.ts'
import { uploadTokenRoute } from './issue-token.ts'

/** Routes of the personal sandbox of an account. */
export function personalRoutes(deps: PersonalDeps & StagedFileDeps): Route[] {
  return [listRoute(deps), removeRoute(deps), setupRoute(deps), ...stagedFileRoutes(deps), fileRoute(deps)]
}

/** Routes that issue upload tokens for staged files, and that commit staged files to a repository and delete them. */
function stagedFileRoutes(deps: StagedFileDeps): Route[] {
  return [uploadTokenRoute(deps), commitFilesRoute(deps)]
}
