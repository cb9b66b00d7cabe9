import { createHash } from 'node:crypto'
import {
  deleteBase,
  insertBase,
  listBases,
  listReplacedBases,
  type BaseKey,
  type BaseSnapshot,
} from '../../db/sandboxes/bases.ts'
import type { RepositoryName } from '../../providers/code-host/index.ts'
import {
  SandboxError,
  SandboxGoneError,
  SnapshotGoneError,
  type CreateSandbox,
  type Sandbox,
  type SandboxPort,
} from '../../providers/sandbox/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { SessionHost } from '../repositories/access.ts'
import type { HostDeps, LogDeps } from '../deps.ts'

export type BaseDeps = LogDeps &
  HostDeps & {
    sandboxes: SandboxPort
    /** Starts the build of a repository's base snapshot, one at a time per repository. Does not wait; the start may be lost. */
    prepareBase: (cloneUrl: string) => void
    /** `prepareAfterMs`: if a sandbox takes at least this long to create, a base of its repository is built. */
    settings: { prepareAfterMs: number }
  }

export const defaultBranch = 'main'

/** A base of at least this age is rebuilt after a slow start from it, if the repository has newer commits. */
const maxAgeMs = 24 * 60 * 60 * 1000
const buildTimeoutMs = 10 * 60 * 1000

/** Returns the content with which a sandbox starts. */
export function toInitialContent(
  codeHost: Pick<SessionHost, 'bundle' | 'readTree'>,
  repository: RepositoryName & { cloneUrl: string },
  branch: string,
): NonNullable<CreateSandbox['repository']> {
  return {
    cloneUrl: repository.cloneUrl,
    branch,
    bundle: (known) => codeHost.bundle(repository, known),
    files: () => codeHost.readTree(repository),
  }
}

/**
 * Creates a session's sandbox for the first time, from the latest base snapshot of its repository that the driver still has,
 * or from a clone. If the creation was slow, starts the build of a base for the next sessions.
 */
export async function createFirstSandbox(
  deps: BaseDeps,
  options: CreateSandbox & { repository: NonNullable<CreateSandbox['repository']> },
): Promise<Sandbox> {
  const { sandboxes, db, settings } = deps
  if (!sandboxes.startsFromBases) return sandboxes.create(options)
  const { cloneUrl } = options.repository
  const startedAt = performance.now()
  let sandbox: Sandbox | undefined
  let usedBase: BaseSnapshot | undefined
  for (const base of await listBases(db, { cloneUrl, sandboxType: sandboxes.type })) {
    sandbox = await createFromBase(deps, options, base.snapshotId)
    if (sandbox === undefined) continue
    usedBase = base
    break
  }
  sandbox ??= await sandboxes.create(options)
  const isSlow = performance.now() - startedAt >= settings.prepareAfterMs
  if (isSlow && !isCurrent(usedBase, sandbox)) deps.prepareBase(cloneUrl)
  return sandbox
}

export function createBaseActivities(deps: BaseDeps) {
  return {
    /** Clones a repository into a separate sandbox and takes a snapshot of it. Safe to run again: each attempt starts over. */
    buildBase: ({ cloneUrl }: { cloneUrl: string }): Promise<void> =>
      withHeartbeat(async () => {
        const { db, codeHost, sandboxes } = deps
        const repository = codeHost.parseCloneUrl(cloneUrl)
        if (repository === undefined || !sandboxes.startsFromBases) return
        const name = buildBaseName(cloneUrl)
        const key = { cloneUrl, sandboxType: sandboxes.type }
        await removeSandbox(deps, name)
        try {
          const sandbox = await sandboxes.create({
            name,
            timeoutMs: buildTimeoutMs,
            gitIdentity: { name: 'Base', email: 'base@localhost' },
            repository: toInitialContent(codeHost, { ...repository, cloneUrl }, defaultBranch),
          })
          const { snapshotId, sizeBytes } = await sandbox.snapshot()
          await insertBase(db, { ...key, snapshotId, commit: sandbox.state.source?.baseCommit ?? '', sizeBytes })
        } finally {
          await removeSandbox(deps, name)
        }
        await deleteReplacedBases(deps, key)
      }),
  }
}

async function createFromBase(
  deps: BaseDeps,
  options: CreateSandbox,
  snapshotId: string,
): Promise<Sandbox | undefined> {
  try {
    return await deps.sandboxes.create({ ...options, snapshotId })
  } catch (error) {
    if (error instanceof SnapshotGoneError) {
      // All machines share the row, and other machines may still have a local snapshot.
      if (!error.isLocal) await deleteBase(deps.db, snapshotId)
    } else if (error instanceof SandboxError)
      deps.log.warn({ err: error, snapshotId }, 'failed to start a sandbox from a base snapshot')
    else throw error
    return undefined
  }
}

function isCurrent(base: BaseSnapshot | undefined, sandbox: Sandbox): boolean {
  return (
    base !== undefined &&
    (base.commit === sandbox.state.source?.baseCommit || Date.now() - base.createdAt.getTime() < maxAgeMs)
  )
}

function buildBaseName(cloneUrl: string): string {
  return `base-${createHash('sha256').update(cloneUrl).digest('hex').slice(0, 24)}`
}

async function removeSandbox({ sandboxes }: BaseDeps, sandboxName: string): Promise<void> {
  try {
    await (await sandboxes.open({ type: sandboxes.type, sandboxName })).destroy()
  } catch (error) {
    if (!(error instanceof SandboxGoneError)) throw error
  }
}

async function deleteReplacedBases({ db, sandboxes }: BaseDeps, key: BaseKey): Promise<void> {
  for (const snapshotId of await listReplacedBases(db, key)) {
    await sandboxes.deleteSnapshot(snapshotId)
    await deleteBase(db, snapshotId)
  }
}
