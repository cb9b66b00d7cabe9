import type { Pool } from './shares.ts'

export type FairQueue = {
  /** Runs `work` when it is the turn of `holder`. Throws 503 if the queue is full, and 429 if `holder` has used its share. */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>
}

type HolderQueue = { running: number; waiting: (() => void)[] }

/**
 * Runs work with a fixed concurrency, round robin across holders. If the concurrency is two or more, no holder occupies every
 * slot, so that slow work delays only its own holder. `pool` limits the sum of running and queued work.
 */
export function createFairQueue({ concurrency, pool }: { concurrency: number; pool: Pool }): FairQueue {
  const maxPerHolder = Math.max(1, concurrency - 1)
  /** Queues by holder. The first holder with waiting work runs next. */
  const queues = new Map<string, HolderQueue>()
  let running = 0

  const startNext = (): void => {
    for (const [holder, holderQueue] of queues) {
      if (running >= concurrency) return
      if (holderQueue.waiting.length === 0 || holderQueue.running >= maxPerHolder) continue
      running++
      holderQueue.running++
      // The loop returns to this queue if no other holder has a turn.
      moveToEnd(holder, holderQueue)
      holderQueue.waiting.shift()?.()
    }
  }

  const moveToEnd = (holder: string, holderQueue: HolderQueue): void => {
    queues.delete(holder)
    if (holderQueue.running > 0 || holderQueue.waiting.length > 0) queues.set(holder, holderQueue)
  }

  const end = (holder: string, holderQueue: HolderQueue): void => {
    running--
    holderQueue.running--
    // The holder's next turn comes after holders that arrived while the work ran.
    moveToEnd(holder, holderQueue)
    pool.release({ callerKey: holder })
    startNext()
  }

  return {
    run: async (holder, work) => {
      pool.acquire({ callerKey: holder })
      const holderQueue = queues.get(holder) ?? { running: 0, waiting: [] }
      queues.set(holder, holderQueue)
      await new Promise<void>((resolve) => {
        holderQueue.waiting.push(resolve)
        startNext()
      })
      try {
        return await work()
      } finally {
        end(holder, holderQueue)
      }
    },
  }
}
