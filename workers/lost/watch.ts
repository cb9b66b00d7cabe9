import type { Logger } from 'pino'
import { listLostAttempts, releaseLostAttempt, type HeldAttempt } from '../../db/turns/lost/attempts.ts'
import { claimStalled, listPulses, type Pulse } from '../../db/turns/lost/pulses.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { ProcessLock } from '../../db/postgres/process-lock.ts'
import type { Engine } from '../../engine/client.ts'
import { reportLostWorkers } from './processes.ts'
import { createRedeliveryReports } from './redelivery.ts'
import { createStallDetector } from './stalls.ts'
import { isOutage, type ReportRow } from '../sweeps/runtime/rows.ts'

/** Interval of checks while workers start, die or lose their locks. */
const frequentCheckIntervalMs = 250
/**
 * Interval of checks at other times, in the elected worker only. Neighbors report deaths, so these checks find only deaths
 * that the neighbors missed.
 */
const calmCheckIntervalMs = 2500
/** Time for which checks stay frequent, because several workers may die in sequence, each of which watched the next. */
const alertDurationMs = 10_000
const errorPauseMs = 1000

/**
 * Detects killed workers by their released locks and stalled workers by their pulses, and reports their activities to
 * Temporal, which would otherwise wait for heartbeat timeouts. A false detection is harmless, because the fence rejects the
 * appends of a worker that is still running.
 */
export function watchForLostWorkers(deps: {
  db: Pool
  engine: Pick<Engine, 'listOpen' | 'listHeldActivities' | 'reportLostActivity'>
  lock: Pick<ProcessLock, 'processId' | 'settled'>
  /** True in the worker that checks for deaths that no neighbor has observed. */
  isElected: () => boolean
  report: ReportRow
  log: Logger
}): {
  /** Checks immediately, after a reported death. */
  checkNow(): void
  /** Receives the pulses of the other workers, which each round of the neighbor watch reads. */
  observe(pulses: Pulse[]): void
  close(): Promise<void>
} {
  const { db, engine, lock, isElected, report, log } = deps
  const stalls = createStallDetector()
  const lostWorkers = reportLostWorkers({ db, engine, processId: lock.processId, log })
  const redelivery = createRedeliveryReports({ engine, log })
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let isCheckDue = false
  let isFailing = false
  let alertUntil = performance.now() + alertDurationMs

  const stayAlert = (): void => {
    alertUntil = performance.now() + alertDurationMs
  }
  const release = async (attempt: HeldAttempt): Promise<{ error: unknown } | undefined> => {
    try {
      await engine.reportLostActivity(attempt.runId, attempt.activityId)
      await releaseLostAttempt(db, attempt)
      log.warn({ runId: attempt.runId, lost: attempt.holder }, 'a worker was lost; its activity is retried')
    } catch (error) {
      if (isOutage(error)) return { error }
      report('report lost workers', attempt.runId, error)
    }
    return undefined
  }
  /** Releases the attempts concurrently. A release that fails or hangs does not delay other releases. */
  const releaseAll = async (attempts: HeldAttempt[]): Promise<void> => {
    if (attempts.length > 0) stayAlert()
    const releases = attempts.map((attempt) => release(attempt))
    const unavailable = (await Promise.all(releases)).find((failure) => failure !== undefined)
    if (unavailable !== undefined) throw unavailable.error
  }
  const observe = (pulses: Pulse[]): Pulse[] => {
    const stalled = stalls.observe(pulses)
    if (stalls.isSuspicious()) stayAlert()
    return stalled
  }
  const releaseStalled = async (): Promise<void> => {
    const stalled = observe(await listPulses(db, lock.processId))
    for (const pulse of stalled) {
      // The pulse of a killed worker remains, but its attempts were already reported.
      const attempts = await claimStalled(db, pulse)
      if (attempts.length > 0) log.warn({ stalled: pulse.processId }, 'a worker does not respond')
      for (const attempt of attempts) redelivery.follow(attempt)
      await releaseAll(attempts)
    }
  }
  const check = async (): Promise<void> => {
    if (!lock.settled()) {
      stayAlert()
      return
    }
    await releaseAll(await listLostAttempts(db, lock.processId))
    await releaseStalled()
    await lostWorkers.check()
    if (redelivery.isFollowing()) stayAlert()
    await redelivery.check()
  }
  const isAlert = (): boolean => performance.now() < alertUntil
  const isDue = (): boolean => isCheckDue || isAlert() || isElected()
  const loop = (): void => {
    clearTimeout(timer)
    const pendingCheck = isDue() ? check() : Promise.resolve()
    isCheckDue = false
    checking = pendingCheck
      .then(() => {
        isFailing = false
        return isAlert() ? frequentCheckIntervalMs : calmCheckIntervalMs
      })
      .catch((error: unknown) => {
        // Logged once, because during a database outage this fails four times a second.
        if (!isFailing) log.warn({ err: error }, 'failed to check for lost workers')
        isFailing = true
        stayAlert()
        return errorPauseMs
      })
      .then((wait) => {
        checking = undefined
        if (!isClosed) timer = setTimeout(loop, isCheckDue ? 0 : wait)
        return undefined
      })
  }
  const checkNow = (): void => {
    stayAlert()
    isCheckDue = true
    if (checking === undefined && !isClosed) loop()
  }
  loop()
  return {
    checkNow,
    observe: (pulses) => {
      const wasAlert = isAlert()
      observe(pulses)
      if (!wasAlert && isAlert()) checkNow()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await checking
      await lostWorkers.close()
    },
  }
}
