import type { ApiDeps } from '../../deps.ts'
import type { Route } from '../../http/route.ts'
import { fileRoute } from './file.ts'
import { filesRoute } from './files.ts'
import { listRoute } from './list.ts'
import { removeRoute } from './remove.ts'
import { setupRoute } from './setup.ts'
import { stagedFileRoute } from './staged-file.ts'

/** The personal sandbox of an account. */
export function personalRoutes(deps: ApiDeps): Route[] {
  return [
    listRoute(deps),
    removeRoute(deps),
    setupRoute(deps),
    stagedFileRoute(deps),
    filesRoute(deps),
    fileRoute(deps),
  ]
}
