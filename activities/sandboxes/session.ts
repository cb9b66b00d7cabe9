import { ApplicationFailure, Context } from '@temporalio/activity'
import {
  activateSandbox,
  bindWorkspace,
  failProvisioning,
  markRestoring,
  settleArchived,
} from '../../db/sandboxes/sandboxes.ts'
import { deleteRemoval, findRemoval, settleRemoval } from '../../db/sandboxes/removals.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import { findPushedCommit } from '../../db/turns/commit.ts'
import { hasReadSkills } from '../../db/turns/skills.ts'
import { newWatchId } from '../../domain/fields/ids.ts'
import { lifecycleErrors } from '../../domain/sandboxes/lifecycle.ts'
import { buildSandboxName } from '../../domain/sandboxes/places.ts'
import { isSandboxActive, type SessionRow } from '../../domain/sessions/sessions.ts'
import { SandboxGoneError, type Sandbox } from '../../providers/sandbox/index.ts'
import { toInitialContent, createFirstSandbox, defaultBranch, type BaseDeps } from './bases.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { createSessionHost, requireRepository } from '../repositories/access.ts'
import { resetToPushedCommit } from '../repositories/pushed-commit.ts'
import { resolveAuthor } from '../repositories/author.ts'
import { discoverSessionSkills, discoveryTimeoutMs } from '../skills/discover.ts'
import { installSkills } from '../skills/install.ts'
import type { PlatformDeps } from '../deps.ts'
import { ensureWorkspace } from './workspace.ts'
import type { LifecycleDeps } from './lifecycle.ts'

export type SandboxDeps = BaseDeps &
  LifecycleDeps &
  PlatformDeps & { settings: { sandboxLifetimeMs: number; sandboxIdleTimeoutMs: number } }

const maxAttempts = 5

/**
 * Starts or resumes a session's sandbox. Safe to run again: the sandbox is found by its name, and writes are guarded.
 */
export async function provisionSession(deps: SandboxDeps, sessionId: string): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) if (await attemptProvision(deps, sessionId)) return
  throw new Error('the session was modified concurrently during every attempt')
}

/** Opens the sandbox of a session for its tools, and resumes it if it has been stopped. */
export async function openSessionSandbox(
  deps: SandboxDeps,
  sessionId: string,
): Promise<{ sandbox: Sandbox; environment: Record<string, string> }> {
  const session = await readOpenSession(deps, sessionId)
  return { sandbox: await openOrResume(deps, session), environment: buildEnvironment(deps, session) }
}

export function createSandboxActivities(deps: SandboxDeps) {
  return {
    /** Starts or resumes the sandbox of a session. Safe to run again: see `provisionSession`. */
    provisionSandbox: ({ sessionId }: { sessionId: string }): Promise<void> =>
      withHeartbeat(() => provisionSession(deps, sessionId)),

    /** Stops the sandbox of an archived session. Safe to run again: a stopped sandbox stays stopped. */
    stopSandbox: ({ sessionId }: { sessionId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const session = await findSession(deps.db, sessionId)
        if (session?.lifecycleState !== 'archived' || session.sandboxState?.expiresAt === undefined) return
        let failure: string | null = null
        try {
          await (await deps.sandboxes.open(session.sandboxState)).stop()
        } catch (error) {
          if (!(error instanceof SandboxGoneError)) {
            if (Context.current().info.attempt < maxAttempts) throw error
            failure = lifecycleErrors.stop
          }
        }
        if (!(await settleArchived(deps.db, session, failure)))
          throw new Error('the session was modified while its sandbox was stopped')
      }),

    /** Removes the sandbox of a deleted session. Safe to run again: a missing sandbox is skipped. */
    removeSandbox: ({ sandboxName: name }: { sandboxName: string }): Promise<void> =>
      withHeartbeat(async () => {
        const removal = await findRemoval(deps.db, name)
        if (removal === undefined) return
        if (removal.isKept) return deleteRemoval(deps.db, name)
        await deps.sandboxes.remove(removal.state)
        await settleRemoval(deps.db, name)
      }),
  }
}

/** Makes one attempt to provision the sandbox. Returns false if the session was modified concurrently. */
async function attemptProvision(deps: SandboxDeps, sessionId: string): Promise<boolean> {
  const session = await readOpenSession(deps, sessionId)
  await requireRepository(deps.db, session)
  if (await isRunning(deps, session)) return true
  if (needsRestoring(deps, session)) {
    if (!(await markRestoring(deps.db, session))) return false
    session.lifecycleVersion++
  }
  let sandbox: Sandbox
  try {
    sandbox = await createSandbox(deps, session)
    await applyPushedCommit(deps, session, sandbox)
  } catch (error) {
    deps.log.error({ sessionId, err: error }, 'failed to provision a sandbox')
    await failProvisioning(deps.db, session, lifecycleErrors.start)
    throw error
  }
  const branch = session.branch ?? sandbox.state.source?.branch ?? defaultBranch
  const expiresAt = sandbox.state.expiresAt ?? Date.now() + deps.settings.sandboxLifetimeMs
  const { sandboxIdleTimeoutMs: idleTimeoutMs } = deps.settings
  const startedAt = expiresAt - deps.settings.sandboxLifetimeMs
  const activation = { state: { ...sandbox.state, expiresAt }, branch, startedAt, idleTimeoutMs, watchId: newWatchId() }
  if (await activateSandbox(deps.db, session, activation)) {
    deps.wakeSandbox(sessionId)
    if (!(await hasSkills(deps, session, sandbox))) await prepareSkills(deps, session, sandbox)
    return true
  }
  const current = await findSession(deps.db, sessionId)
  if (current === undefined) await sandbox.destroy()
  else if (current.lifecycleState === 'archived') await stopArchived(deps, current, sandbox)
  return false
}

async function readOpenSession({ db }: SandboxDeps, sessionId: string): Promise<SessionRow> {
  const session = await findSession(db, sessionId)
  if (session === undefined) throw ApplicationFailure.nonRetryable('the session was deleted', 'SessionGone')
  if (session.lifecycleState === 'archived')
    throw ApplicationFailure.nonRetryable('the session is archived', 'SessionArchived')
  return session
}

/** True when both the row and the driver report the sandbox as active. */
async function isRunning(deps: SandboxDeps, session: SessionRow): Promise<boolean> {
  return (
    session.lifecycleState === 'active' &&
    session.sandboxState !== null &&
    isActive(deps, session) &&
    (await deps.sandboxes.condition(session.sandboxState)) === 'running'
  )
}

function isActive({ settings }: SandboxDeps, session: SessionRow): boolean {
  return isSandboxActive(session, settings.lifecycle.expiryBufferMs)
}

/**
 * True if the state must change to `restoring` while the sandbox starts. Other states do not change. For example, an
 * active session whose sandbox was stopped by a delayed request is only resumed.
 */
function needsRestoring(deps: SandboxDeps, session: SessionRow): boolean {
  return (
    session.lifecycleState === 'hibernated' ||
    ((session.lifecycleState === 'active' || session.lifecycleState === 'hibernating') && !isActive(deps, session))
  )
}

async function createSandbox(deps: SandboxDeps, session: SessionRow): Promise<Sandbox> {
  const { repoOwner, repoName, cloneUrl } = await readWorkspace(deps, session)
  const options = {
    name: buildSandboxName(session.id),
    timeoutMs: deps.settings.sandboxLifetimeMs,
    gitIdentity: await resolveAuthor(deps, session.ownerId, cloneUrl),
    repository: toInitialContent(
      createSessionHost(deps, session),
      { owner: repoOwner, name: repoName, cloneUrl },
      session.branch ?? defaultBranch,
    ),
  }
  return session.sandboxState === null ? createFirstSandbox(deps, options) : deps.sandboxes.create(options)
}

async function readWorkspace(deps: SandboxDeps, session: SessionRow) {
  const workspace = await ensureWorkspace(deps, session.organizationId ?? session.ownerId)
  if (session.cloneUrl === null) await bindWorkspace(deps.db, session.id, workspace)
  return workspace
}

/** Returns the time (epoch ms) of the checkpoint from which this or an interrupted attempt restored the sandbox, if any. */
function findCheckpointTime({ sandboxState }: SessionRow, { state }: Sandbox): number | undefined {
  return state.epoch === sandboxState?.epoch ? undefined : (state.checkpoint?.at ?? undefined)
}

/** Resets a restored sandbox to the last commit that was pushed after its checkpoint, if there is one. */
async function applyPushedCommit(deps: SandboxDeps, session: SessionRow, sandbox: Sandbox): Promise<void> {
  const at = findCheckpointTime(session, sandbox)
  const pushed = at === undefined ? undefined : await findPushedCommit(deps.db, session.id, at)
  const repository = deps.codeHost.parseCloneUrl(session.cloneUrl ?? '')
  if (pushed === undefined || repository === undefined) return
  await resetToPushedCommit(deps, sandbox, createSessionHost(deps, session), { ...pushed, repository })
}

/** True if the sandbox was restored from a checkpoint that contains the installed skills. */
async function hasSkills({ db }: SandboxDeps, session: SessionRow, sandbox: Sandbox): Promise<boolean> {
  const at = findCheckpointTime(session, sandbox)
  return at !== undefined && (await hasReadSkills(db, session.id, at))
}

/** Installs and lists the skills before a turn needs them. Failures are only logged. */
async function prepareSkills(deps: SandboxDeps, session: SessionRow, sandbox: Sandbox): Promise<void> {
  await installSkills({ log: deps.log, codeHost: createSessionHost(deps, session) }, session, sandbox)
  try {
    await discoverSessionSkills(deps, session.id, sandbox, AbortSignal.timeout(discoveryTimeoutMs))
  } catch (error) {
    deps.log.warn({ sessionId: session.id, err: error }, 'failed to read the skills of a sandbox')
  }
}

/**
 * Stops a sandbox whose session was archived while the sandbox was created. Stores its state, so that the sandbox can be
 * resumed or removed later.
 */
async function stopArchived(deps: SandboxDeps, session: SessionRow, sandbox: Sandbox): Promise<void> {
  await sandbox.stop()
  await settleArchived(deps.db, { ...session, sandboxState: sandbox.state }, null)
}

/** Opens the sandbox of the session's row. Starts it again if it has stopped or is gone. */
async function openOrResume(deps: SandboxDeps, session: SessionRow): Promise<Sandbox> {
  if (session.sandboxState === null) throw new Error('the session has no sandbox')
  if (isActive(deps, session))
    try {
      return await deps.sandboxes.open(session.sandboxState)
    } catch (error) {
      if (!(error instanceof SandboxGoneError)) throw error
    }
  await provisionSession(deps, session.id)
  const { sandboxState } = await readOpenSession(deps, session.id)
  if (sandboxState === null) throw new Error('the session has no sandbox')
  return deps.sandboxes.open(sandboxState)
}

/** Returns the environment of commands: addresses and ids of the platform, never a key. */
function buildEnvironment({ platform }: SandboxDeps, session: SessionRow): Record<string, string> {
  return {
    PLATFORM_API_URL: platform.baseUrl,
    PLATFORM_ACCOUNT_ID: session.ownerId,
    ...(session.organizationId !== null && { PLATFORM_ORGANIZATION_ID: session.organizationId }),
    ...(session.artistId !== null && { PLATFORM_ARTIST_ID: session.artistId }),
  }
}
