import { Context } from '@temporalio/activity'
import {
  findSessionOfRun,
  markConnected,
  markExtended,
  markFailed,
  markHibernated,
  markHibernating,
  markWatched,
} from '../../db/sandboxes/lifecycle.ts'
import { listLiveRuns } from '../../db/runs/runs.ts'
import { findSession, lockSession } from '../../db/sessions/sessions.ts'
import { newWatchId } from '../../domain/fields/ids.ts'
import {
  lifecycleErrors,
  needsWaking,
  nextStep,
  type ExtendOutcome,
  type ProbeOutcome,
  type LifecycleTimes,
} from '../../domain/sandboxes/lifecycle.ts'
import type { SessionRow, StoredSandboxState } from '../../domain/sessions/sessions.ts'
import {
  SandboxGoneError,
  SandboxStoppedError,
  type SandboxState,
  type SandboxPort,
} from '../../providers/sandbox/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { LogDeps } from '../deps.ts'

export type LifecycleDeps = LogDeps & {
  sandboxes: SandboxPort
  settings: { lifecycle: LifecycleTimes }
  /** Signals the workflow that watches the lifecycle of a session's sandbox. Does not wait; the signal may be lost. */
  wakeSandbox: (sessionId: string) => void
}

/** A session, and the version of its row on which an action is based. */
type SessionVersion = { sessionId: string; lifecycleVersion: number }

/** Next action of a session's watcher. */
export type WatcherAction =
  | { do: 'end' }
  | { do: 'wait'; ms: number }
  | { do: 'stop'; lifecycleVersion: number }
  | { do: 'extend'; lifecycleVersion: number; expiresAt: number }

/** `ended`: the session is active, but its sandbox no longer runs. */
type StopOutcome = { ended: boolean }

const maxAttempts = 5
const probeTimeoutMs = 15_000

/** Implements `stopIdleSandbox`. `attempt` counts from 1. */
export async function stopIdle(deps: LifecycleDeps, version: SessionVersion, attempt: number): Promise<StopOutcome> {
  const session = await findSession(deps.db, version.sessionId)
  if (session === undefined) return { ended: false }
  const isUnchanged = session.lifecycleVersion === version.lifecycleVersion
  if (isUnchanged && (await hibernate(deps, session, attempt))) return { ended: false }
  return { ended: await hasEnded(deps, await findSession(deps.db, version.sessionId)) }
}

/** Implements `extendSandbox`. `attempt` counts from 1. */
export async function extendTo(
  deps: LifecycleDeps,
  { sessionId, lifecycleVersion, expiresAt }: SessionVersion & { expiresAt: number },
  attempt: number,
): Promise<ExtendOutcome> {
  const session = await findSession(deps.db, sessionId)
  if (session === undefined || session.sandboxState === null) return 'changed'
  if (session.lifecycleVersion !== lifecycleVersion) {
    const mayBeEarlierAttempt = attempt > 1 && session.lifecycleVersion === lifecycleVersion + 1
    return mayBeEarlierAttempt && session.sandboxExpiresAt?.getTime() === expiresAt ? 'extended' : 'changed'
  }
  try {
    const sandbox = await deps.sandboxes.open(session.sandboxState)
    const state = await sandbox.extend(expiresAt)
    return (await markExtended(deps.db, pickVersion(session), { state, expiresAt })) ? 'extended' : 'changed'
  } catch (error) {
    if (error instanceof SandboxGoneError || error instanceof SandboxStoppedError) return 'ended'
    throw error
  }
}

/** Wakes the watcher of a run's session after the end of the run, unless the watcher's timer fires in time. */
export async function wakeAfterRun(deps: LifecycleDeps, runId: string): Promise<void> {
  const { lifecycle } = deps.settings
  const session = await findSessionOfRun(deps.db, runId)
  if (session === undefined) return
  // If the run lasted longer than the idle time, the watcher may have read it as live. It then waits only for this signal.
  if (session.runAgeMs >= lifecycle.idleTimeoutMs || needsWaking(session, Date.now(), lifecycle))
    deps.wakeSandbox(session.id)
}

export function createLifecycleActivities(deps: LifecycleDeps) {
  return {
    /**
     * Decides the next action for a session's sandbox. Safe to run again: the row lock prevents the acceptance of a run during
     * the decision, and each write advances the state once.
     */
    lookAtSandbox: ({ sessionId }: { sessionId: string }): Promise<WatcherAction> =>
      deps.db.begin(async (tx): Promise<WatcherAction> => {
        const session = await lockSession(tx, sessionId)
        const runs = await listLiveRuns(tx, { sessionId })
        const step = nextStep(session, { now: Date.now(), hasLiveRun: runs.length > 0 }, deps.settings.lifecycle)
        if (session === undefined || step.do === 'end') return { do: 'end' }
        let { lifecycleVersion } = session
        if (session.lifecycleRunId === null) {
          await markWatched(tx, { id: sessionId, lifecycleVersion }, newWatchId())
          lifecycleVersion++
        }
        if (step.do === 'hibernate') {
          await markHibernating(tx, { id: sessionId, lifecycleVersion })
          return { do: 'stop', lifecycleVersion: lifecycleVersion + 1 }
        }
        return step.do === 'wait' ? step : { ...step, lifecycleVersion }
      }),

    /**
     * Stops a sandbox that is idle or has expired. Safe to run again: a stopped sandbox stays stopped, and the row and
     * the driver are checked again.
     */
    stopIdleSandbox: (version: SessionVersion): Promise<StopOutcome> =>
      withHeartbeat(() => stopIdle(deps, version, currentAttempt())),

    /**
     * Extends a running sandbox to `expiresAt`. Safe to run again: the time is absolute, and the write is guarded.
     * `changed`: the session was modified concurrently, and the action must be decided again.
     */
    extendSandbox: (extension: SessionVersion & { expiresAt: number }): Promise<ExtendOutcome> =>
      withHeartbeat(() => extendTo(deps, extension, currentAttempt())),

    /** Checks whether a session's sandbox exists and stores the result. Safe to run again. */
    probeSandbox: ({ sessionId }: { sessionId: string }): Promise<ProbeOutcome> =>
      withHeartbeat(async () => {
        for (let attempt = 0; attempt < maxAttempts; attempt++) {
          const outcome = await probe(deps, sessionId)
          if (outcome !== undefined) return outcome
        }
        return 'unsure'
      }),
  }
}

/**
 * Stops the session's sandbox and stores the result. Returns false when the session was modified concurrently.
 */
async function hibernate(deps: LifecycleDeps, session: SessionRow, attempt: number): Promise<boolean> {
  const version = pickVersion(session)
  if (session.sandboxState === null) return markHibernated(deps.db, version, { gone: true })
  let gone = false
  try {
    gone = (await stop(deps, session.sandboxState)) === 'gone'
  } catch (error) {
    if (attempt < maxAttempts) throw error
    deps.log.error({ sessionId: session.id, err: error }, 'failed to stop an idle sandbox')
    // A sandbox that has expired does not need to be stopped.
    if (session.lifecycleState === 'hibernating') return markFailed(deps.db, version, lifecycleErrors.stop)
  }
  return markHibernated(deps.db, version, { gone })
}

function pickVersion(session: SessionRow) {
  return { id: session.id, lifecycleVersion: session.lifecycleVersion }
}

/** Stops the sandbox. Returns `gone` if the driver does not know it. */
async function stop({ sandboxes }: LifecycleDeps, state: StoredSandboxState): Promise<'stopped' | 'gone'> {
  try {
    await (await sandboxes.open(state)).stop()
    return 'stopped'
  } catch (error) {
    if (error instanceof SandboxGoneError) return 'gone'
    throw error
  }
}

async function hasEnded({ sandboxes }: LifecycleDeps, session: SessionRow | undefined): Promise<boolean> {
  return (
    session?.lifecycleState === 'active' &&
    session.sandboxState !== null &&
    (await sandboxes.condition(session.sandboxState)) !== 'running'
  )
}

function currentAttempt(): number {
  return Context.current().info.attempt
}

/** Makes one attempt at a probe. Returns undefined if the session was modified concurrently. */
async function probe(deps: LifecycleDeps, sessionId: string): Promise<ProbeOutcome | undefined> {
  const session = await findSession(deps.db, sessionId)
  if (session === undefined || session.sandboxState === null) return 'none'
  const condition = await checkSandbox(deps, session.sandboxState)
  if (condition === 'unsure') return condition
  const isWritten =
    typeof condition === 'string'
      ? await writeExpired(deps, session, condition === 'gone')
      : await writeConnected(deps, session, condition)
  if (!isWritten) return undefined
  return typeof condition === 'string' ? 'expired' : 'connected'
}

/** Reads the condition of the sandbox from the driver, then runs one command in it. */
async function checkSandbox(
  { sandboxes, log }: LifecycleDeps,
  state: StoredSandboxState,
): Promise<SandboxState | 'stopped' | 'gone' | 'unsure'> {
  try {
    const condition = await sandboxes.condition(state)
    if (condition !== 'running') return condition
    const sandbox = await sandboxes.open(state)
    const { exitCode } = await sandbox.exec('true', { timeoutMs: probeTimeoutMs, maxOutputBytes: 1000 })
    return exitCode === 0 ? sandbox.state : 'unsure'
  } catch (error) {
    if (error instanceof SandboxGoneError) return 'gone'
    log.warn({ err: error }, 'a sandbox did not respond to its probe')
    return 'unsure'
  }
}

/** Stores that a sandbox has ended, except for a resume in progress and an archived session, which have their own workflows. */
async function writeExpired({ db }: LifecycleDeps, session: SessionRow, gone: boolean): Promise<boolean> {
  const { lifecycleState, sandboxState } = session
  if (lifecycleState === 'archived' || lifecycleState === 'restoring') return true
  const isSettled = lifecycleState === 'hibernated' && sandboxState?.expiresAt === undefined
  return isSettled && !gone ? true : markHibernated(db, pickVersion(session), { gone })
}

async function writeConnected(deps: LifecycleDeps, session: SessionRow, state: SandboxState): Promise<boolean> {
  const { lifecycleState, sandboxState, sandboxExpiresAt } = session
  const { expiresAt } = state
  const mayConnect = lifecycleState === 'active' || lifecycleState === 'hibernating' || lifecycleState === 'failed'
  if (!mayConnect || expiresAt === undefined) return true
  const isUnchanged = sandboxState?.expiresAt === expiresAt && sandboxExpiresAt?.getTime() === expiresAt
  if (isUnchanged && lifecycleState !== 'failed') return true
  const connection = { state, expiresAt, watchId: newWatchId() }
  if (!(await markConnected(deps.db, pickVersion(session), connection))) return false
  deps.wakeSandbox(session.id)
  return true
}
