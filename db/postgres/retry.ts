import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from './failures.ts'

const pauseMs = 250
/** An answer that took longer may tell of what was: the process may have stood still with it in its hands. */
const freshMs = 1000
const patienceMs = 5 * 60_000

/**
 * Repeats work that failed because Postgres was away, for up to five minutes: a restart of the database costs time and
 * no attempt. The commit of a failed try may have landed, so the work must be safe to run again.
 */
export const retryWhileDatabaseDown = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
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

/**
 * An answer that allows what cannot be taken back, such as a request to somebody outside. One that came late is asked
 * for once more: meanwhile the run may have been stopped, or its work taken over. The question must be safe to repeat.
 */
export const recheckIfSlow = async <T>(ask: () => Promise<T>): Promise<T> => {
  const askedAt = performance.now()
  const answer = await ask()
  return performance.now() - askedAt < freshMs ? answer : ask()
}
