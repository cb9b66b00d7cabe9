import type { Logger } from 'pino'
import type { Pool } from '../../db/postgres/client.ts'
import { addBeat, deletePulse } from '../../db/turns/pulses.ts'

const beatMs = 1000

type PulseDeps = { db: Pool; processId: number; isBusy: () => boolean; log: Logger }

/**
 * Records a beat every second while this worker advances turns, so that other workers detect a stalled event loop.
 * A beat that fails is not repeated: while Postgres is unavailable, no worker counts as stalled.
 */
export function startPulse({ db, processId, isBusy, log }: PulseDeps): { close(): Promise<void> } {
  let hasPulse = false
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    try {
      if (isBusy()) {
        hasPulse = true
        await addBeat(db, processId)
      } else if (hasPulse) {
        await deletePulse(db, processId)
        hasPulse = false
      }
    } catch (err) {
      log.debug({ err }, 'failed to record a beat')
    } finally {
      writing = undefined
    }
  }
  const timer = setInterval(() => {
    writing ??= write()
  }, beatMs)
  return {
    close: async () => {
      clearInterval(timer)
      await writing
      if (hasPulse)
        await deletePulse(db, processId).catch((err: unknown) => log.debug({ err }, 'failed to delete the pulse'))
    },
  }
}
