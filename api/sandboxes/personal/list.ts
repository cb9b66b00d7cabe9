import { z } from 'zod'
import { findAccountSnapshot, canReachWorkspace } from '../../../db/sandboxes/snapshots.ts'
import { listAccountSandboxes, type AccountSandbox } from '../../../db/sandboxes/personal.ts'
import { uuid, successOf } from '../../../domain/fields/fields.ts'
import { pageQuery } from '../../../domain/fields/pages.ts'
import { EngineTimeoutError } from '../../../engine/client.ts'
import { listSubmodules } from '../../../providers/code-host/submodules.ts'
import type { RepositoryName } from '../../../providers/code-host/index.ts'
import { resolveAccount } from '../../access/access.ts'
import { route, success, type Route } from '../../http/route.ts'
import { routeDefaults, type PersonalDeps } from './route-defaults.ts'
import { lookAtSandboxes } from '../../../workflows/sandboxes/messages.ts'
import { toWire } from '../../../domain/wire.ts'

const listTimeoutMs = 10_000
const maxEntries = 10_000

type FileTree = { path: string; type: 'blob' | 'tree'; sha: string; size?: number }[]

const entry = z.object({
  path: z.string(),
  type: z.enum(['blob', 'tree']),
  sha: z.string(),
  size: z.int().optional(),
})

const sandboxSchema = z.object({
  sandboxId: z.string(),
  sandboxStatus: z.enum(['pending', 'running', 'stopping', 'stopped', 'failed', 'aborted', 'snapshotting']),
  timeout: z.int(),
  createdAt: z.iso.datetime(),
})

export function listRoute(deps: PersonalDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/sandboxes',
    summary: 'Read the personal sandbox',
    description: 'Returns the sandboxes of the account, its snapshot, its source repository and the tree of `main`.',
    rate: 'default',
    waitMs: listTimeoutMs,
    query: z.object({ sandbox_id: z.string().optional(), account_id: uuid.optional(), ...pageQuery(100, 20) }),
    responses: {
      200: successOf({
        sandboxes: z.array(sandboxSchema),
        snapshot_id: z.string().nullable(),
        github_repo: z.string().nullable(),
        filetree: z.array(entry).nullable(),
        filetree_truncated: z.literal(true).optional(),
      }),
    },
    errors: ['forbidden'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, query }) => {
      const accountId = query.account_id ?? caller.accountId
      const sandboxes = await listAccountSandboxes(deps.db, accountId, { ...query, id: query.sandbox_id })
      const record = await findAccountSnapshot(deps.db, accountId)
      const repository = record?.githubRepo ? deps.codeHost.parseCloneUrl(record.githubRepo) : undefined
      const tree = repository === undefined ? undefined : await readFileTree(deps, accountId, repository)
      return success({
        sandboxes: (await filterKnownSandboxes(deps, accountId, sandboxes)).map(toSandboxResponse),
        snapshot_id: record?.snapshotId ?? null,
        github_repo: record?.githubRepo ?? null,
        filetree: tree?.filetree ?? null,
        ...(tree?.truncated === true && { filetree_truncated: true as const }),
      })
    },
  })
}

/** Returns the tree of `main` and of each submodule under its path, up to a maximum number of entries. */
async function readFileTree(
  { db, codeHost }: PersonalDeps,
  accountId: string,
  repository: RepositoryName,
): Promise<{ filetree: FileTree; truncated: boolean }> {
  const tree = await codeHost.listTree(repository, { limit: maxEntries })
  const submodules = await listSubmodules(codeHost, repository, (target) => canReachWorkspace(db, accountId, target))
  const filetree: FileTree = []
  let { truncated } = tree
  for (const { type, ...entry } of tree.entries) {
    if (filetree.length > maxEntries) break
    filetree.push({ ...entry, type: type === 'blob' ? 'blob' : 'tree' })
    const submodule = type === 'commit' ? submodules.find(({ path }) => path === entry.path) : undefined
    if (submodule === undefined) continue
    const submoduleTree = await codeHost.listTree(submodule.repository, { limit: maxEntries })
    truncated ||= submoduleTree.truncated
    for (const { type: innerType, ...child } of submoduleTree.entries)
      filetree.push({ ...child, path: `${entry.path}/${child.path}`, type: innerType === 'blob' ? 'blob' : 'tree' })
  }
  return { filetree: filetree.slice(0, maxEntries), truncated: truncated || filetree.length > maxEntries }
}

/** Returns the sandboxes that the driver knows, or all recorded sandboxes if the lookup times out. */
async function filterKnownSandboxes(deps: PersonalDeps, accountId: string, sandboxes: AccountSandbox[]) {
  if (sandboxes.length === 0) return []
  try {
    const knownIds = new Set(await deps.engine.join(lookAtSandboxes, { accountId }, listTimeoutMs))
    return sandboxes.filter(({ id }) => knownIds.has(id))
  } catch (error) {
    if (!(error instanceof EngineTimeoutError)) throw error
    deps.log.warn({ accountId }, 'failed to list sandboxes')
    return sandboxes
  }
}

function toSandboxResponse(sandbox: AccountSandbox): z.output<typeof sandboxSchema> {
  const { id: sandboxId, status: sandboxStatus, timeoutMs: timeout } = sandbox
  return toWire(sandboxSchema, { ...sandbox, sandboxId, sandboxStatus, timeout })
}
