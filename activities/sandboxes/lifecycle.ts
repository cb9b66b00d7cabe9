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
import { SandboxGone, SandboxStopped, type SandboxState } from '../../providers/sandbox/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'

type LifecycleDeps = Pick<ActivityDeps, 'db' | 'sandboxes' | 'settings' | 'wakeSandbox' | 'log'>

/** A session at the version at which it was decided what to do with its sandbox. */
type AtVersion = { sessionId: string; lifecycleVersion: number }

/** What the watcher of a session does next. */
export type Look =
  | { do: 'end' }
  | { do: 'wait'; ms: number }
  | { do: 'stop'; lifecycleVersion: number }
  | { do: 'extend'; lifecycleVersion: number; expiresAt: number }

/** `ended`: the session is active, and its sandbox is not running any more. */
type Outcome = { ended: boolean }

const tries = 5
const probeMs = 15_000

/** The work of `stopIdleSandbox`. */
export async function stopIdle(deps: LifecycleDeps, at: AtVersion, attempt: number): Promise<Outcome> {
  const session = await findSession(deps.db, at.sessionId)
  if (session === undefined) return { ended: false }
  const same = session.lifecycleVersion === at.lifecycleVersion
  if (same && (await hibernate(deps, session, attempt))) return { ended: false }
  return { ended: await hasEnded(deps, await findSession(deps.db, at.sessionId)) }
}

/** The work of `extendSandbox`. */
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
    return (await markExtended(deps.db, versionOf(session), { state, expiresAt })) ? 'extended' : 'changed'
  } catch (error) {
    if (error instanceof SandboxGone || error instanceof SandboxStopped) return 'ended'
    throw error
  }
}

/** Wakes the watcher of a run's session, now that the run has ended, unless its timer brings it in time by itself. */
export async function wakeAfterRun(deps: LifecycleDeps, runId: string): Promise<void> {
  const { lifecycle } = deps.settings
  const session = await findSessionOfRun(deps.db, runId)
  if (session === undefined) return
  // Only a run that is older than the idle time can have been met by a watcher that now sleeps until it is told.
  if (session.runAgeMs >= lifecycle.idleMs || needsWaking(session, Date.now(), lifecycle)) deps.wakeSandbox(session.id)
}

export function createLifecycleActivities(deps: LifecycleDeps) {
  return {
    /**
     * Decides by the row what a session's sandbox needs next. Safe to run again: it decides under the row's lock, where no
     * run is accepted, and its writes move one state forward.
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
     * Stops a sandbox that nobody needs, or that is over. Safe to run again: a stopped one stays stopped, and whether it
     * was needed after all is asked of the row and the driver.
     */
    stopIdleSandbox: (at: AtVersion): Promise<Outcome> => withHeartbeat(() => stopIdle(deps, at, attemptNow())),

    /**
     * Moves the end of a running sandbox to `expiresAt`. Safe to run again: the end is an absolute time, and the write is
     * guarded. `changed`: somebody else changed the session, and everything has to be decided again.
     */
    extendSandbox: (to: AtVersion & { expiresAt: number }): Promise<ExtendOutcome> =>
      withHeartbeat(() => extendTo(deps, to, attemptNow())),

    /** Asks a session's sandbox whether it is there, and writes what was found. Safe to run again: it asks anew. */
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

/** Stops the sandbox at this version and writes what came of it; false when somebody else changed the session. */
async function hibernate(deps: LifecycleDeps, session: SessionRow, attempt: number): Promise<boolean> {
  const version = versionOf(session)
  if (session.sandboxState === null) return markHibernated(deps.db, version, { gone: true })
  let gone = false
  try {
    gone = (await stop(deps, session.sandboxState)) === 'gone'
  } catch (error) {
    if (attempt < tries) throw error
    deps.log.error({ sessionId: session.id, err: error }, 'an idle sandbox could not be stopped')
    // What is over by its own clock needs nobody to stop it.
    if (session.lifecycleState === 'hibernating') return markFailed(deps.db, version, lifecycleErrors.stop)
  }
  return markHibernated(deps.db, version, { gone })
}

function versionOf(session: SessionRow) {
  return { id: session.id, lifecycleVersion: session.lifecycleVersion }
}

/** Stops the sandbox; `gone` when the driver does not know it. */
async function stop({ sandboxes }: LifecycleDeps, state: StoredSandboxState): Promise<'stopped' | 'gone'> {
  try {
    await (await sandboxes.open(state)).stop()
    return 'stopped'
  } catch (error) {
    if (error instanceof SandboxGone) return 'gone'
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

/** One try; undefined when somebody else changed the session meanwhile. */
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

/** Asks the driver, then the sandbox itself by one command. */
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
    if (error instanceof SandboxGone) return 'gone'
    log.warn({ err: error }, 'a sandbox did not answer its probe')
    return 'unsure'
  }
}

/** A resume that is under way, and an archived session, are left to whoever has them in hand. */
async function writeExpired({ db }: LifecycleDeps, session: SessionRow, gone: boolean): Promise<boolean> {
  const { lifecycleState, sandboxState } = session
  if (lifecycleState === 'archived' || lifecycleState === 'restoring') return true
  const settled = lifecycleState === 'hibernated' && sandboxState?.expiresAt === undefined
  return settled && !gone ? true : markHibernated(db, versionOf(session), { gone })
}

async function writeConnected(deps: LifecycleDeps, session: SessionRow, found: SandboxState): Promise<boolean> {
  const { lifecycleState, sandboxState, sandboxExpiresAt } = session
  const expiresAt = found.expiresAt
  const shown = lifecycleState === 'active' || lifecycleState === 'hibernating' || lifecycleState === 'failed'
  if (!shown || expiresAt === undefined) return true
  const same = sandboxState?.expiresAt === expiresAt && sandboxExpiresAt?.getTime() === expiresAt
  if (same && lifecycleState !== 'failed') return true
  const connection = { state: found, expiresAt, watchId: newWatchId() }
  if (!(await markConnected(deps.db, versionOf(session), connection))) return false
  deps.wakeSandbox(session.id)
  return true
}
