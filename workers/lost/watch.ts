import type { Logger } from 'pino'
import { listLostAttempts, releaseLostAttempt, type HeldAttempt } from '../../db/turns/lost-attempts.ts'
import { claimStalled, listPulses } from '../../db/turns/pulses.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { ProcessLock } from '../../db/postgres/process-lock.ts'
import type { Engine } from '../../engine/client.ts'
import { reportLostWorkers } from './processes.ts'
import { createStallDetector } from './stalls.ts'
import { isAway, type ReportRow } from '../sweeps/runtime/rows.ts'

/** Interval of checks while workers come, die or lose their locks. */
const alertMs = 250
/** Interval otherwise: the watch of the neighbor reports a death, and a check finds only what it missed. */
const calmMs = 2500
/** Time for which checks stay frequent: several workers may die one after the other, each the watcher of the next. */
const alertForMs = 10_000
const pauseMs = 1000

/**
 * Detects killed workers by their released locks and stalled ones by their pulse, and reports their activities to
 * Temporal, which would otherwise wait for heartbeat timeouts. A wrong guess is harmless: the fence rejects the appends
 * of a worker that is still alive.
 */
export function watchForLostWorkers(deps: {
  db: Pool
  engine: Pick<Engine, 'listOpen' | 'listHeldActivities' | 'reportLostActivity'>
  lock: Pick<ProcessLock, 'processId' | 'settled'>
  report: ReportRow
  log: Logger
}): {
  /** Checks immediately, after a report of a death. */
  look(): void
  close(): Promise<void>
} {
  const { db, engine, lock, report, log } = deps
  const stalls = createStallDetector()
  const answers = reportLostWorkers({ db, engine, processId: lock.processId, log })
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let again = false
  let failing = false
  let alertUntil = performance.now() + alertForMs

  const stayAlert = (): void => {
    alertUntil = performance.now() + alertForMs
  }
  const release = async (attempt: HeldAttempt): Promise<{ error: unknown } | undefined> => {
    try {
      await engine.reportLostActivity(attempt.runId, attempt.activityId)
      await releaseLostAttempt(db, attempt)
      log.warn({ runId: attempt.runId, lost: attempt.holder }, 'a worker was lost; its work is tried again')
    } catch (error) {
      if (isAway(error)) return { error }
      report('report lost workers', attempt.runId, error)
    }
    return undefined
  }
  /** Concurrently and independently: a release that fails or hangs does not delay the others. */
  const releaseAll = async (attempts: HeldAttempt[]): Promise<void> => {
    if (attempts.length > 0) stayAlert()
    const releases = attempts.map((attempt) => release(attempt))
    const away = (await Promise.all(releases)).find((failure) => failure !== undefined)
    if (away !== undefined) throw away.error
  }
  const lookForStalls = async (): Promise<void> => {
    const stalled = stalls.observe(await listPulses(db, lock.processId))
    if (stalls.isSuspicious()) stayAlert()
    for (const pulse of stalled) {
      log.warn({ stalled: pulse.processId }, 'a worker does not respond')
      await releaseAll(await claimStalled(db, pulse))
    }
  }
  const look = async (): Promise<void> => {
    if (!lock.settled()) {
      stayAlert()
      return
    }
    await releaseAll(await listLostAttempts(db, lock.processId))
    await lookForStalls()
    await answers.look()
  }
  const loop = (): void => {
    clearTimeout(timer)
    again = false
    looking = look()
      .then(() => {
        failing = false
        return performance.now() < alertUntil ? alertMs : calmMs
      })
      .catch((error: unknown) => {
        // Logged once, because during a database outage this fails four times a second.
        if (!failing) log.warn({ err: error }, 'could not check for lost workers')
        failing = true
        stayAlert()
        return pauseMs
      })
      .then((wait) => {
        looking = undefined
        if (!closed) timer = setTimeout(loop, again ? 0 : wait)
        return undefined
      })
  }
  loop()
  return {
    look: () => {
      stayAlert()
      if (looking !== undefined) again = true
      else if (!closed) loop()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await looking
      await answers.close()
    },
  }
}
