import type { Logger } from 'pino'
import type { Pool } from '../../db/postgres/client.ts'
import { addBeat, deletePulse } from '../../db/turns/lost/pulses.ts'

const pulseIntervalMs = 1000

/** Sign of life of a worker while it advances turns. */
export type Pulse = { beatWhile(work: Promise<unknown>): void; close(): Promise<void> }

/**
 * Records a beat immediately and then every second while work is in progress, so that other workers detect a stalled event
 * loop. A beat that fails is not repeated: while Postgres is unavailable, no worker counts as stalled.
 */
export function startPulse({ db, processId, log }: { db: Pool; processId: number; log: Logger }): Pulse {
  let working = 0
  let hasPulse = false
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    try {
      if (working > 0) {
        hasPulse = true
        await addBeat(db, processId)
      } else {
        await deletePulse(db, processId)
        hasPulse = false
      }
    } catch (err) {
      log.debug({ err }, 'failed to record a beat')
    }
  }
  const beat = (): void => {
    if (working === 0 && !hasPulse) return
    writing ??= write().finally(() => {
      writing = undefined
      if (working > 0 && !hasPulse) beat()
    })
  }
  const timer = setInterval(beat, pulseIntervalMs)
  return {
    beatWhile: (work) => {
      working++
      if (!hasPulse) beat()
      const end = (): void => void working--
      work.then(end, end)
    },
    close: async () => {
      clearInterval(timer)
      await writing
      if (hasPulse)
        await deletePulse(db, processId).catch((err: unknown) => log.debug({ err }, 'failed to delete the pulse'))
    },
  }
}
