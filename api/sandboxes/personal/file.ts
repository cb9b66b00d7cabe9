import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { canReachWorkspace } from '../../../db/sandboxes/snapshots.ts'
import { uuid, successOf } from '../../../domain/fields/fields.ts'
import { filePath, isBinaryName } from '../../../domain/sandboxes/personal.ts'
import { CodeHostFileTooLargeError } from '../../../providers/code-host/index.ts'
import { listSubmodules, resolvePath } from '../../../providers/code-host/submodules.ts'
import { resolveAccount } from '../../access/access.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { mebibytes, route, success, type Route } from '../../http/route.ts'
import { routeDefaults, findSourceRepository, type PersonalDeps } from './route-defaults.ts'

const maxBytes = mebibytes(5)

export function fileRoute(deps: PersonalDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/sandboxes/file',
    summary: 'Read a file of the source repository',
    description:
      'Reads from `main` and resolves paths inside submodules. Binary content is returned as base64, up to 5 MiB.',
    rate: 'default',
    query: z.object({ path: filePath, account_id: uuid.optional() }),
    responses: { 200: successOf({ content: z.string(), encoding: z.literal('base64').optional() }) },
    errors: ['forbidden', 'not_found', 'payload_too_large'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, query }) => {
      const bytes = Buffer.from(await readSourceFile(deps, query.account_id ?? caller.accountId, query.path))
      const isBinary = isBinaryName(query.path) || !isUtf8(bytes)
      const content = bytes.toString(isBinary ? 'base64' : 'utf8')
      return success({ content, ...(isBinary && { encoding: 'base64' as const }) })
    },
  })
}

async function readSourceFile(deps: PersonalDeps, accountId: string, path: string): Promise<Uint8Array> {
  const source = await findSourceRepository(deps, accountId)
  if (source === undefined) throw new ApiError('not_found', 'No source repository for this account')
  const mayReach = (target: typeof source) => canReachWorkspace(deps.db, accountId, target)
  const location = resolvePath(source, await listSubmodules(deps.codeHost, source, mayReach), path)
  try {
    const content = await deps.codeHost.readFile(location.repository, location.path, { maxBytes })
    if (content === undefined) throw notFound('File')
    return content
  } catch (error) {
    if (error instanceof CodeHostFileTooLargeError) throw new ApiError('payload_too_large', 'File is too large')
    throw error
  }
}
