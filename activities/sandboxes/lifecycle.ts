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
} from '../../domain/sandboxes/lifecycle.ts'
import type { SessionRow, StoredSandboxState } from '../../domain/sessions/sessions.ts'
import { SandboxGoneError, SandboxStoppedError, type SandboxState } from '../../providers/sandbox/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'

type LifecycleDeps = Pick<ActivityDeps, 'db' | 'sandboxes' | 'settings' | 'wakeSandbox' | 'log'>

/** A session, and the version of its row for which the action was decided. */
type AtVersion = { sessionId: string; lifecycleVersion: number }

/** Next action of a session's watcher. */
export type Look =
  | { do: 'end' }
  | { do: 'wait'; ms: number }
  | { do: 'stop'; lifecycleVersion: number }
  | { do: 'extend'; lifecycleVersion: number; expiresAt: number }

/** `ended`: the session is active, and its sandbox no longer runs. */
type Outcome = { ended: boolean }

const tries = 5
const probeMs = 15_000

/** Implements `stopIdleSandbox`. */
export async function stopIdle(deps: LifecycleDeps, at: AtVersion, attempt: number): Promise<Outcome> {
  const session = await findSession(deps.db, at.sessionId)
  if (session === undefined) return { ended: false }
  const same = session.lifecycleVersion === at.lifecycleVersion
  if (same && (await hibernate(deps, session, attempt))) return { ended: false }
  return { ended: await hasEnded(deps, await findSession(deps.db, at.sessionId)) }
}

/** Implements `extendSandbox`. */
export async function extendTo(
  deps: LifecycleDeps,
  { sessionId, lifecycleVersion, expiresAt }: AtVersion & { expiresAt: number },
  attempt: number,
): Promise<ExtendOutcome> {
  const session = await findSession(deps.db, sessionId)
  if (session === undefined || session.sandboxState === null) return 'changed'
  if (session.lifecycleVersion !== lifecycleVersion) {
    const own = attempt > 1 && session.lifecycleVersion === lifecycleVersion + 1
    return own && session.sandboxExpiresAt?.getTime() === expiresAt ? 'extended' : 'changed'
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

/** Wakes the watcher of a run's session after the run has ended, unless its timer fires in time. */
export async function wakeAfterRun(deps: LifecycleDeps, runId: string): Promise<void> {
  const { lifecycle } = deps.settings
  const session = await findSessionOfRun(deps.db, runId)
  if (session === undefined) return
  // Only a run older than the idle time can have been seen by a watcher that now sleeps until a signal.
  if (session.runAgeMs >= lifecycle.idleMs || needsWaking(session, Date.now(), lifecycle)) deps.wakeSandbox(session.id)
}

export function createLifecycleActivities(deps: LifecycleDeps) {
  return {
    /**
     * Decides from the row what a session's sandbox needs next. Safe to run again: it decides under the row lock, where
     * no run is accepted, and its writes move the state forward once.
     */
    lookAtSandbox: ({ sessionId }: { sessionId: string }): Promise<Look> =>
      deps.db.begin(async (tx): Promise<Look> => {
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
    stopIdleSandbox: (at: AtVersion): Promise<Outcome> => withHeartbeat(() => stopIdle(deps, at, attemptNow())),

    /**
     * Extends a running sandbox to `expiresAt`. Safe to run again: the time is absolute, and the write is guarded.
     * `changed`: the session was modified concurrently, and the action must be decided again.
     */
    extendSandbox: (to: AtVersion & { expiresAt: number }): Promise<ExtendOutcome> =>
      withHeartbeat(() => extendTo(deps, to, attemptNow())),

    /** Checks whether a session's sandbox exists and stores the result. Safe to run again. */
    probeSandbox: ({ sessionId }: { sessionId: string }): Promise<ProbeOutcome> =>
      withHeartbeat(async () => {
        for (let attempt = 0; attempt < tries; attempt++) {
          const outcome = await probe(deps, sessionId)
          if (outcome !== undefined) return outcome
        }
        return 'unsure'
      }),
  }
}

/**
 * Stops the sandbox at this version and stores the result. Returns false when the session was modified concurrently.
 */
async function hibernate(deps: LifecycleDeps, session: SessionRow, attempt: number): Promise<boolean> {
  const version = pickVersion(session)
  if (session.sandboxState === null) return markHibernated(deps.db, version, { gone: true })
  let gone = false
  try {
    gone = (await stop(deps, session.sandboxState)) === 'gone'
  } catch (error) {
    if (attempt < tries) throw error
    deps.log.error({ sessionId: session.id, err: error }, 'failed to stop an idle sandbox')
    // A sandbox that has expired does not need to be stopped.
    if (session.lifecycleState === 'hibernating') return markFailed(deps.db, version, lifecycleErrors.stop)
  }
  return markHibernated(deps.db, version, { gone })
}

function pickVersion(session: SessionRow) {
  return { id: session.id, lifecycleVersion: session.lifecycleVersion }
}

/** Stops the sandbox; `gone` when the driver does not know it. */
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

function attemptNow(): number {
  return Context.current().info.attempt
}

/** One attempt; undefined when the session was modified concurrently. */
async function probe(deps: LifecycleDeps, sessionId: string): Promise<ProbeOutcome | undefined> {
  const session = await findSession(deps.db, sessionId)
  if (session === undefined || session.sandboxState === null) return 'none'
  const found = await examine(deps, session.sandboxState)
  if (found === 'unsure') return found
  const written =
    typeof found === 'string'
      ? await writeExpired(deps, session, found === 'gone')
      : await writeConnected(deps, session, found)
  if (!written) return undefined
  return typeof found === 'string' ? 'expired' : 'connected'
}

/** Checks the driver, then runs one command in the sandbox. */
async function examine(
  { sandboxes, log }: LifecycleDeps,
  state: StoredSandboxState,
): Promise<SandboxState | 'stopped' | 'gone' | 'unsure'> {
  try {
    const condition = await sandboxes.condition(state)
    if (condition !== 'running') return condition
    const sandbox = await sandboxes.open(state)
    const { exitCode } = await sandbox.exec('true', { timeoutMs: probeMs, maxOutputBytes: 1000 })
    return exitCode === 0 ? sandbox.state : 'unsure'
  } catch (error) {
    if (error instanceof SandboxGoneError) return 'gone'
    log.warn({ err: error }, 'a sandbox did not respond to its probe')
    return 'unsure'
  }
}

/** A resume in progress and an archived session are handled by their own workflows. */
async function writeExpired({ db }: LifecycleDeps, session: SessionRow, gone: boolean): Promise<boolean> {
  const { lifecycleState, sandboxState } = session
  if (lifecycleState === 'archived' || lifecycleState === 'restoring') return true
  const settled = lifecycleState === 'hibernated' && sandboxState?.expiresAt === undefined
  return settled && !gone ? true : markHibernated(db, pickVersion(session), { gone })
}

async function writeConnected(deps: LifecycleDeps, session: SessionRow, found: SandboxState): Promise<boolean> {
  const { lifecycleState, sandboxState, sandboxExpiresAt } = session
  const expiresAt = found.expiresAt
  const shown = lifecycleState === 'active' || lifecycleState === 'hibernating' || lifecycleState === 'failed'
  if (!shown || expiresAt === undefined) return true
  const same = sandboxState?.expiresAt === expiresAt && sandboxExpiresAt?.getTime() === expiresAt
  if (same && lifecycleState !== 'failed') return true
  const connection = { state: found, expiresAt, watchId: newWatchId() }
  if (!(await markConnected(deps.db, pickVersion(session), connection))) return false
  deps.wakeSandbox(session.id)
  return true
}
