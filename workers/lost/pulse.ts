import type { Logger } from 'pino'
import type { Pool } from '../../db/postgres/client.ts'
import { deletePulse, writePulse } from '../../db/turns/lost/pulses.ts'

const pulseIntervalMs = 1000

/** Shows other workers that this worker is responsive while it advances turns. */
export type Pulse = { beatWhile(work: Promise<unknown>): void; close(): Promise<void> }

/**
 * Records a beat immediately and then every second while work is in progress, so that other workers detect a stalled event
 * loop. A failed beat is not repeated, because no worker is considered stalled while Postgres is unavailable.
 */
export function startPulse({ db, processId, log }: { db: Pool; processId: number; log: Logger }): Pulse {
  let activeCount = 0
  /** Beats since the process started. */
  let beats = 0
  let hasPulse = false
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    try {
      if (activeCount > 0) {
        hasPulse = true
        await writePulse(db, { processId, beats: ++beats })
      } else {
        await deletePulse(db, processId)
        hasPulse = false
      }
    } catch (err) {
      log.debug({ err }, 'failed to record a beat')
    }
  }
  const beat = (): void => {
    if (activeCount === 0 && !hasPulse) return
    writing ??= write().finally(() => {
      writing = undefined
      if (activeCount > 0 && !hasPulse) beat()
    })
  }
  const timer = setInterval(beat, pulseIntervalMs)
  return {
    beatWhile: (work) => {
      activeCount++
      if (!hasPulse) beat()
      const end = (): void => void activeCount--
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
