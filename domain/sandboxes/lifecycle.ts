import type { SessionRow } from '../sessions/sessions.ts'

/** Times of the sandbox lifecycle in milliseconds, each from a setting. */
export type LifecycleTimes = {
  /** Idle time after which a sandbox hibernates. */
  idleTimeoutMs: number
  /** Duration of one extension. */
  extendMs: number
  /** Remaining time below which a sandbox with a live run is extended. */
  extendBeforeMs: number
  /** Maximum duration of a sandbox, from its start. */
  maxMs: number
  /** Remaining time below which a sandbox is treated as ended. */
  expiryBufferMs: number
  /** Minimum wait between two checks of a session. */
  checkMs: number
}

type LifecycleSettings = Record<
  | 'SANDBOX_IDLE_SECONDS'
  | 'SANDBOX_EXTEND_SECONDS'
  | 'SANDBOX_EXTEND_BEFORE_SECONDS'
  | 'SANDBOX_MAX_SECONDS'
  | 'SANDBOX_EXPIRY_BUFFER_SECONDS'
  | 'SANDBOX_CHECK_SECONDS',
  number
>

export function lifecycleTimes(settings: LifecycleSettings): LifecycleTimes {
  return {
    idleTimeoutMs: settings.SANDBOX_IDLE_SECONDS * 1000,
    extendMs: settings.SANDBOX_EXTEND_SECONDS * 1000,
    extendBeforeMs: settings.SANDBOX_EXTEND_BEFORE_SECONDS * 1000,
    maxMs: settings.SANDBOX_MAX_SECONDS * 1000,
    expiryBufferMs: settings.SANDBOX_EXPIRY_BUFFER_SECONDS * 1000,
    checkMs: settings.SANDBOX_CHECK_SECONDS * 1000,
  }
}

/** All values of `sessions.lifecycle_error`. */
export const lifecycleErrors = {
  start: 'The sandbox could not be started',
  stop: 'The sandbox could not be stopped',
} as const

/** Next transition of a session with a sandbox. Times are epoch milliseconds. */
export type LifecycleStep =
  /** Nothing to watch: the session is deleted, archived, or has no running sandbox. */
  | { do: 'end' }
  | { do: 'wait'; ms: number }
  | { do: 'extend'; expiresAt: number }
  /** The idle time has passed: mark the session as hibernating, then stop its sandbox. */
  | { do: 'hibernate' }
  /** The session is already hibernating, or its sandbox has expired: stop the sandbox. */
  | { do: 'stop' }

/** `changed`: another process changed the session concurrently. `ended`: the sandbox has stopped. */
export type ExtendOutcome = 'extended' | 'changed' | 'ended'

/** `unsure`: the sandbox did not respond, for a possibly transient reason. `none`: the session has no sandbox. */
export type ProbeOutcome = 'connected' | 'unsure' | 'expired' | 'none'

export type WatchedSession = Pick<
  SessionRow,
  | 'lifecycleState'
  | 'sandboxState'
  | 'lastActivityAt'
  | 'hibernateAfter'
  | 'sandboxStartedAt'
  | 'sandboxExpiresAt'
  | 'updatedAt'
>

type RunningSession = WatchedSession & { sandboxExpiresAt: Date }

/**
 * Returns when an idle sandbox must stop, in epoch ms: at `hibernateAfter` (or the idle time after the last activity or
 * change), but no later than shortly before its expiry.
 */
export function dueAt(session: RunningSession, { idleTimeoutMs, expiryBufferMs }: LifecycleTimes): number {
  const { hibernateAfter, lastActivityAt, updatedAt, sandboxExpiresAt } = session
  const idleAt = hibernateAfter?.getTime() ?? (lastActivityAt ?? updatedAt).getTime() + idleTimeoutMs
  return Math.min(idleAt, sandboxExpiresAt.getTime() - expiryBufferMs)
}

/** Returns the end of a sandbox after another extension, in epoch ms; its current end if the maximum is reached. */
export function extendedEnd(
  { sandboxStartedAt, sandboxExpiresAt }: Pick<RunningSession, 'sandboxStartedAt' | 'sandboxExpiresAt'>,
  now: number,
  { extendMs, maxMs }: LifecycleTimes,
): number {
  const endsAt = sandboxExpiresAt.getTime()
  const lastEnd = (sandboxStartedAt?.getTime() ?? now) + maxMs
  return Math.max(endsAt, Math.min(Math.max(endsAt, now) + extendMs, lastEnd))
}

/** Returns the transition that is due now. The caller must hold the row lock, which prevents the acceptance of a run. */
export function nextStep(
  session: WatchedSession | undefined,
  { now, hasLiveRun }: { now: number; hasLiveRun: boolean },
  times: LifecycleTimes,
): LifecycleStep {
  if (session === undefined || !isRunning(session)) return { do: 'end' }
  if (session.lifecycleState === 'hibernating') return { do: 'stop' }
  if (hasLiveRun) return nextStepWithRun(session, now, times)
  const endsAt = session.sandboxExpiresAt.getTime()
  if (endsAt <= now) return { do: 'stop' }
  const idleEnd = dueAt(session, times)
  if (idleEnd <= now) return { do: 'hibernate' }
  const extendAt = endsAt - times.extendBeforeMs
  return { do: 'wait', ms: Math.max(Math.min(idleEnd, extendAt > now ? extendAt : idleEnd) - now, times.checkMs) }
}

/** True if a transition of this session is overdue. */
export function isOverdue(
  session: WatchedSession,
  { now, hasLiveRun }: { now: number; hasLiveRun: boolean },
  times: LifecycleTimes,
): boolean {
  const step = nextStep(session, { now: now - times.checkMs, hasLiveRun }, times)
  return step.do !== 'end' && step.do !== 'wait'
}

/**
 * Returns whether the session's watcher must be signaled. Otherwise its timer wakes it in time, because the timer fires
 * no later than an idle sandbox is due.
 */
export function needsWaking(
  session: WatchedSession & Pick<SessionRow, 'lifecycleRunId'>,
  now: number,
  times: LifecycleTimes,
): boolean {
  return (
    isRunning(session) &&
    (session.lifecycleRunId === null ||
      session.lifecycleState === 'hibernating' ||
      session.sandboxExpiresAt.getTime() - now < times.extendBeforeMs)
  )
}

function isRunning(session: WatchedSession): session is RunningSession {
  return (
    (session.lifecycleState === 'active' || session.lifecycleState === 'hibernating') &&
    session.sandboxState !== null &&
    session.sandboxExpiresAt !== null
  )
}

function nextStepWithRun(session: RunningSession, now: number, times: LifecycleTimes): LifecycleStep {
  const endsAt = session.sandboxExpiresAt.getTime()
  const extendAt = endsAt - times.extendBeforeMs
  const next = extendedEnd(session, now, times)
  const canExtend = next > endsAt
  if (canExtend && now >= extendAt) return { do: 'extend', expiresAt: next }
  const idleEnd = dueAt(session, times)
  // The end of the run signals the watcher, unless the run is shorter than the idle time.
  const checkAt = canExtend ? extendAt : now + times.idleTimeoutMs
  const until = Math.min(idleEnd > now ? idleEnd : Number.POSITIVE_INFINITY, checkAt)
  return { do: 'wait', ms: Math.max(until - now, times.checkMs) }
}
