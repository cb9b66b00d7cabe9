import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from './failures.ts'

const pauseMs = 250
const patienceMs = 5 * 60_000

/**
 * Repeats work that failed because Postgres was away, for up to five minutes: a restart of the database costs time and
 * no attempt. The commit of a failed try may have landed, so the work must be safe to run again.
 */
export const whenDatabaseIsBack = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > deadline) throw error
      await pause(pauseMs, undefined, signal === undefined ? {} : { signal })
    }
  }
}
