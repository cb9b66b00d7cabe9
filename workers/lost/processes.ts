import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { claimLostWorkers } from '../../db/operator/reports.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { Activities } from '../../activities/index.ts'
import type { Engine } from '../../engine/client.ts'
import { lockMark } from './identity.ts'

type AnswerDeps = {
  db: Pool
  engine: Pick<Engine, 'listOpen' | 'listHeldActivities' | 'reportLostActivity'>
  processId: number
  log: Logger
}

/** Maximum delay before Temporal lists a new workflow. */
const listedMs = 1000

/**
 * Maximum number of open workflows to list, newest first. Activities of older ones are detected by their heartbeats.
 */
const maxListed = 2000

/** Postgres records the process that runs these activities, so a death is detected sooner. */
const recorded: readonly string[] = ['advanceTurn', 'advanceSubAgent'] satisfies (keyof Activities)[]

/**
 * Reports a dead worker's activities to Temporal so that they retry immediately. This also covers activities without a
 * record of their process in Postgres.
 */
export function reportLostWorkers({ db, engine, processId, log }: AnswerDeps): {
  /** Reports the activities of dead workers that no other worker reports yet. */
  look(): Promise<void>
  close(): Promise<void>
} {
  const closing = new AbortController()
  const answers = new Set<Promise<void>>()

  const report = async (lost: number, isAnswered: (type: string) => boolean): Promise<void> => {
    const isLost = (identity: string): boolean => identity.endsWith(lockMark(lost))
    const open: string[] = []
    for await (const workflowId of engine.listOpen({}, 0)) if (open.push(workflowId) === maxListed) break
    for (const { workflowId, activityId, type } of await engine.listHeldActivities(open, isLost)) {
      if (!isAnswered(type)) continue
      await engine.reportLostActivity(workflowId, activityId)
      log.warn({ workflowId, activity: type, lost }, 'a worker was lost; its work is tried again')
    }
  }
  const reportLost = async (lost: number): Promise<void> => {
    try {
      await report(lost, (type) => !recorded.includes(type))
      await setTimeout(listedMs, undefined, { signal: closing.signal })
      await report(lost, () => true)
    } catch (err) {
      if (!closing.signal.aborted) log.warn({ err, lost }, 'the work of a lost worker waits for its heartbeats')
    }
  }
  return {
    look: async () => {
      for (const lost of await claimLostWorkers(db, processId)) {
        const answer = reportLost(lost).finally(() => answers.delete(answer))
        answers.add(answer)
      }
    },
    close: async () => {
      closing.abort()
      await Promise.all(answers)
    },
  }
}
