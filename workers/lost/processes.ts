import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { announceFleetChange } from '../../db/operator/fleet.ts'
import { claimLostWorkers } from '../../db/operator/reports.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { Activities } from '../../activities/index.ts'
import type { Engine } from '../../engine/client.ts'
import { lockSuffix } from './identity.ts'

type ReportDeps = {
  db: Pool
  engine: Pick<Engine, 'listOpen' | 'listHeldActivities' | 'reportLostActivity'>
  processId: number
  log: Logger
}

/** Maximum delay before Temporal's listing contains a new workflow. */
const listingDelayMs = 1000

/**
 * Maximum number of open workflows to list, newest first. Lost activities of older workflows are detected by their
 * heartbeats.
 */
const maxWorkflows = 2000

/** Postgres records the process of these activities, so `watchForLostWorkers` reports their loss sooner. */
const recordedTypes: readonly string[] = ['advanceTurn', 'advanceSubAgent'] satisfies (keyof Activities)[]

/**
 * Reports a dead worker's activities to Temporal so that they retry immediately. This also covers activities without a
 * record of their process in Postgres.
 */
export function reportLostWorkers({ db, engine, processId, log }: ReportDeps): {
  /** Reports the activities of dead workers, unless another worker has claimed the report. */
  check(): Promise<void>
  close(): Promise<void>
} {
  const closing = new AbortController()
  const reports = new Set<Promise<void>>()

  const report = async (lostId: number, isIncluded: (type: string) => boolean): Promise<void> => {
    const isLost = (identity: string): boolean => identity.endsWith(lockSuffix(lostId))
    const workflowIds: string[] = []
    for await (const workflowId of engine.listOpen({}, 0)) if (workflowIds.push(workflowId) === maxWorkflows) break
    for (const { workflowId, activityId, type } of await engine.listHeldActivities(workflowIds, isLost)) {
      if (!isIncluded(type)) continue
      await engine.reportLostActivity(workflowId, activityId)
      log.warn({ workflowId, activity: type, lost: lostId }, 'a worker was lost; its activity is retried')
    }
  }
  const reportLost = async (lostId: number): Promise<void> => {
    try {
      await report(lostId, (type) => !recordedTypes.includes(type))
      await setTimeout(listingDelayMs, undefined, { signal: closing.signal })
      await report(lostId, () => true)
    } catch (err) {
      if (!closing.signal.aborted)
        log.warn({ err, lost: lostId }, 'failed to report a lost worker; its activities wait for heartbeat timeouts')
    }
  }
  return {
    check: async () => {
      const lost = await claimLostWorkers(db, processId)
      if (lost.length > 0) await announceFleetChange(db)
      for (const lostId of lost) {
        const running = reportLost(lostId).finally(() => reports.delete(running))
        reports.add(running)
      }
    },
    close: async () => {
      closing.abort()
      await Promise.all(reports)
    },
  }
}
