import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { queryInteger } from '../../domain/fields/fields.ts'
import { filePath } from '../../domain/sandboxes/personal.ts'
import { CodeHostFileTooLargeError, type RepositoryName, type CodeHostPort } from '../../providers/code-host/index.ts'
import { requireUsableSession } from '../access/owned.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { mebibytes, route, ok, standardRoute, type Caller, type Route } from '../http/route.ts'
import type { DbDeps } from '../deps.ts'
import { sessionsTag } from './route-defaults.ts'

export type FileDeps = DbDeps & { codeHost: CodeHostPort }

const maxEntries = 10_000
const maxFileBytes = mebibytes(5)

const entry = z
  .object({ path: z.string(), type: z.enum(['blob', 'tree', 'commit']), sha: z.string(), size: z.int().optional() })
  .meta({ id: 'RepositoryEntry' })

const commit = z
  .object({
    sha: z.string(),
    message: z.string().meta({ description: 'The first line.' }),
    author: z.string(),
    committedAt: z.iso.datetime({ offset: true }),
    url: z.string().meta({ description: 'URL of the commit page.' }),
  })
  .meta({ id: 'RepositoryCommit' })

const routeDefaults = {
  ...standardRoute,
  method: 'GET',
  tag: sessionsTag,
  ownership: 'The session must belong to the caller, who must still have access to its repository.',
  bodyLimit: mebibytes(1),
  params: z.object({ sessionId: z.string() }),
} as const

/** Routes that read the files and the history of the default branch of a session's repository from the code host. */
export function fileRoutes(deps: FileDeps): Route[] {
  return [listFiles(deps), readFile(deps), listHistory(deps)]
}

function listFiles(deps: FileDeps): Route {
  return route({
    ...routeDefaults,
    path: '/api/sessions/{sessionId}/files',
    summary: "List the files of a session's repository",
    description:
      'Returns the tree of the default branch in path order, up to 10,000 entries. Submodules have type `commit`.',
    responses: { 200: z.object({ commit: z.string(), entries: z.array(entry), isTruncated: z.boolean() }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params }) => {
      const repository = await findRepository(deps, caller, params.sessionId)
      const { truncated, ...tree } = await deps.codeHost.listTree(repository, { limit: maxEntries })
      return ok({ ...tree, isTruncated: truncated })
    },
  })
}

function readFile(deps: FileDeps): Route {
  return route({
    ...routeDefaults,
    path: '/api/sessions/{sessionId}/files/content',
    summary: "Read a file of a session's repository",
    description: 'Reads from the default branch, up to 5 MiB. Content that is not UTF-8 is returned as base64.',
    query: z.object({ path: filePath }),
    responses: { 200: z.object({ content: z.string(), encoding: z.enum(['utf-8', 'base64']) }) },
    errors: ['forbidden', 'not_found', 'payload_too_large'],
    handle: async ({ caller, params, query }) => {
      const repository = await findRepository(deps, caller, params.sessionId)
      const content = await deps.codeHost
        .readFile(repository, query.path, { maxBytes: maxFileBytes })
        .catch((error: unknown) => {
          if (error instanceof CodeHostFileTooLargeError)
            throw new ApiError('payload_too_large', 'The file is larger than 5 MiB: clone the repository')
          throw error
        })
      if (content === undefined) throw notFound('File')
      const bytes = Buffer.from(content)
      const encoding = isUtf8(bytes) ? 'utf-8' : 'base64'
      return ok({ content: bytes.toString(encoding), encoding })
    },
  })
}

function listHistory(deps: FileDeps): Route {
  const { codeHost } = deps
  return route({
    ...routeDefaults,
    path: '/api/sessions/{sessionId}/files/history',
    summary: "List the commits of a session's repository, newest first",
    description: 'With `path`, returns only the commits that changed this file or folder.',
    query: z.object({ path: filePath.optional(), limit: queryInteger(1, 100, 50) }),
    responses: { 200: z.object({ commits: z.array(commit) }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query: { path, limit } }) => {
      const repository = await findRepository(deps, caller, params.sessionId)
      const rows = await codeHost.listCommits(repository, { limit, ...(path !== undefined && { path }) })
      const commits = rows.map((commit) => ({ ...commit, url: codeHost.commitUrl(repository, commit.sha) }))
      return ok({ commits })
    },
  })
}

async function findRepository({ db, codeHost }: FileDeps, caller: Caller, sessionId: string): Promise<RepositoryName> {
  const { cloneUrl } = await requireUsableSession(db, caller, sessionId)
  const repository = cloneUrl === null ? undefined : codeHost.parseCloneUrl(cloneUrl)
  if (repository === undefined)
    throw new ApiError('not_found', 'The session has no repository yet: start its sandbox first')
  return repository
}
