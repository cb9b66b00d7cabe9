import type { ApiDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { commitFilesRoute } from './commit.ts'
import { uploadTokenRoute } from './issue-token.ts'

/** A staged file is uploaded with a token to `receive.ts` or to a vendor, then committed to a repository and deleted. */
export function stagedFileRoutes(deps: ApiDeps): Route[] {
  return [uploadTokenRoute(deps), commitFilesRoute(deps)]
}
