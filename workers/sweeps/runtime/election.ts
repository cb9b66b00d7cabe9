import { setTimeout as pause } from 'node:timers/promises'
import type { SingletonLock } from '../../../db/postgres/deaths.ts'

/** Decides which worker of the fleet runs the sweeps. */
export type Election = {
  /** Resolves once this worker is elected, or after the abort. */
  untilElected(signal: AbortSignal): Promise<void>
  /** Tries to be elected now, after the death of another worker. */
  tryNow(): void
  close(): Promise<void>
}

const intervalMs = 5000

/**
 * Elects the worker that holds the lock, which Postgres releases as soon as its holder dies. The lock is requested again at
 * each interval: a session that holds it keeps it, and one that lost its connection may have lost it to another worker.
 */
export function electSweeper(lock: Pick<SingletonLock, 'tryTake' | 'close'>): Election {
  const closing = new AbortController()
  let isElected = false
  let woken = new AbortController()
  const onElected = new Set<() => void>()
  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      woken = new AbortController()
      isElected = await lock.tryTake()
      if (isElected) for (const settle of onElected) settle()
      await pause(intervalMs, undefined, { signal: AbortSignal.any([closing.signal, woken.signal]) }).catch(() => {})
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
    tryNow: () => woken.abort(),
    close: async () => {
      closing.abort()
      await lock.close()
      await running
    },
  }
}
