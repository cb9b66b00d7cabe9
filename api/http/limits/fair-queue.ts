import type { Pool } from './shares.ts'

export type FairQueue = {
  /**
   * Runs `work` when it is the turn of `holder`. Throws 503 when the queue is full, and 429 when `holder` has used its share.
   */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>
}

type HolderQueue = { running: number; waiting: (() => void)[] }

/**
 * Runs work with a fixed concurrency, round robin across holders. With a concurrency of two or more, no holder occupies every
 * slot: slow work delays only its own holder. `pool` limits running and queued work.
 */
export function createFairQueue({ concurrency, pool }: { concurrency: number; pool: Pool }): FairQueue {
  const maxPerHolder = Math.max(1, concurrency - 1)
  /** In the order of the next turns. */
  const lines = new Map<string, HolderQueue>()
  let running = 0

  const startNext = (): void => {
    for (const [holder, line] of lines) {
      if (running >= concurrency) return
      if (line.waiting.length === 0 || line.running >= maxPerHolder) continue
      running++
      line.running++
      // The loop returns to this queue if no other holder has a turn.
      moveToEnd(holder, line)
      line.waiting.shift()?.()
    }
  }

  const moveToEnd = (holder: string, line: HolderQueue): void => {
    lines.delete(holder)
    if (line.running > 0 || line.waiting.length > 0) lines.set(holder, line)
  }

  const end = (holder: string, line: HolderQueue): void => {
    running--
    line.running--
    // Also moves behind holders that arrived while it ran.
    moveToEnd(holder, line)
    pool.release({ callerKey: holder })
    startNext()
  }

  return {
    run: async (holder, work) => {
      pool.acquire({ callerKey: holder })
      const line = lines.get(holder) ?? { running: 0, waiting: [] }
      lines.set(holder, line)
      await new Promise<void>((resolve) => {
        line.waiting.push(resolve)
        startNext()
      })
      try {
        return await work()
      } finally {
        end(holder, line)
      }
    },
  }
}
