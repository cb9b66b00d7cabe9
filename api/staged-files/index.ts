import type { Route } from '../http/route.ts'
import { commitFilesRoute, type StagedFileDeps } from './commit.ts'
import { uploadTokenRoute } from './issue-token.ts'

/** Routes that issue upload tokens for staged files, and that commit staged files to a repository and delete them. */
export function stagedFileRoutes(deps: StagedFileDeps): Route[] {
  return [uploadTokenRoute(deps), commitFilesRoute(deps)]
}
