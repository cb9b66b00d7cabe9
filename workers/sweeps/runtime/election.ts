import { setTimeout as pause } from 'node:timers/promises'
import type { SweeperLock } from '../../../db/postgres/deaths.ts'

/** Decides which worker of the fleet runs the sweeps. */
export type Election = {
  /** Resolves once this worker is elected, or after the abort. */
  untilElected(signal: AbortSignal): Promise<void>
  isElected: () => boolean
  /** Tries to be elected now, after the death of another worker. */
  tryNow(): void
  close(): Promise<void>
}

/** Interval at which the elected worker confirms that it still holds the lock. */
const confirmIntervalMs = 5000
/** Interval at which the other workers try to be elected, in case a death was not observed or the elected worker is silent. */
const candidacyIntervalMs = 30_000
/** Number of quick tries after the death of a worker, whose sessions do not all end at once. */
const maxQuickTries = 3
const quickTryIntervalMs = 1000

/**
 * Elects the worker that holds the lock, which Postgres releases as soon as its holder dies. A holder that stops reporting
 * loses the lock. The lock is requested again at each interval: a session that holds the lock keeps it, but a session that
 * lost its connection may have lost the lock to another worker.
 */
export function electSweeper(lock: Pick<SweeperLock, 'tryAcquire' | 'evictSilent' | 'close'>): Election {
  const closing = new AbortController()
  let isElected = false
  let wakeUp = new AbortController()
  let remainingQuickTries = maxQuickTries
  const onElected = new Set<() => void>()
  const attempt = async (): Promise<void> => {
    isElected = await lock.tryAcquire()
    if (isElected) for (const settle of onElected) settle()
    else if (remainingQuickTries === 0 && (await lock.evictSilent())) remainingQuickTries = maxQuickTries
  }
  const nextWaitMs = (): number => {
    if (isElected) return confirmIntervalMs
    if (remainingQuickTries === 0) return candidacyIntervalMs
    remainingQuickTries--
    return quickTryIntervalMs
  }
  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      wakeUp = new AbortController()
      await attempt()
      await pause(nextWaitMs(), undefined, { signal: AbortSignal.any([closing.signal, wakeUp.signal]) }).catch(() => {})
    }
  }
  const running = loop()
  return {
    untilElected: (signal) => {
      if (isElected || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const settle = (): void => {
          signal.removeEventListener('abort', settle)
          onElected.delete(settle)
          resolve()
        }
        onElected.add(settle)
        signal.addEventListener('abort', settle)
      })
    },
    isElected: () => isElected,
    tryNow: () => {
      remainingQuickTries = maxQuickTries
      wakeUp.abort()
    },
    close: async () => {
      closing.abort()
      await lock.close()
      await running
    },
  }
}
