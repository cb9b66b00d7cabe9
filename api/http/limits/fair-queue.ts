import type { Pool } from './shares.ts'

export type FairQueue = {
  /**
   * Runs `work` in the turn of `holder`. Throws 503 when the queue is full, and 429 when `holder` has used its share.
   */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>
}

type Line = { running: number; waiting: (() => void)[] }

/**
 * Runs work in a fixed number of places. Holders take turns, and with two places or more, no holder has all of them:
 * slow work delays only its own holder. `pool` limits what runs and waits.
 */
export function createFairQueue({ places, pool }: { places: number; pool: Pool }): FairQueue {
  const maxOfOne = Math.max(1, places - 1)
  /** In the order of their next turns. */
  const lines = new Map<string, Line>()
  let running = 0

  const startNext = (): void => {
    for (const [holder, line] of lines) {
      if (running >= places) return
      if (line.waiting.length === 0 || line.running >= maxOfOne) continue
      running++
      line.running++
      // The loop returns to this line if no other holder has a turn.
      moveBehind(holder, line)
      line.waiting.shift()?.()
    }
  }

  const moveBehind = (holder: string, line: Line): void => {
    lines.delete(holder)
    if (line.running > 0 || line.waiting.length > 0) lines.set(holder, line)
  }

  const end = (holder: string, line: Line): void => {
    running--
    line.running--
    // Also behind holders that arrived while it ran.
    moveBehind(holder, line)
    pool.give({ who: holder })
    startNext()
  }

  return {
    run: async (holder, work) => {
      pool.take({ who: holder })
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
