import type { Route } from '../http/route.ts'
import { commitFilesRoute, type StagedFileDeps } from './commit.ts'
import { uploadTokenRoute } from './issue-token.ts'

/** A staged file is uploaded with a token to `receive.ts` or to a vendor, then committed to a repository and deleted. */
export function stagedFileRoutes(deps: StagedFileDeps): Route[] {
  return [uploadTokenRoute(deps), commitFilesRoute(deps)]
}
