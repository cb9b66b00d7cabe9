import { condition, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow'
import { providerRunChanged, slotFreed } from './messages.ts'

/** Thrown by a wait when the history has become long, so that the workflow continues as new from its rows. */
export class HistoryTooLongError extends Error {
  override readonly name = 'HistoryTooLongError'
}

/**
 * The waits of a workflow for its provider runs. Once the history is too long, every wait throws `HistoryTooLongError`, so
 * that no activity runs when the workflow continues as new.
 */
export type RunWaits = {
  /** Waits for a webhook about the run, at most for the given time. */
  untilChanged: (run: number | string, ms: number) => Promise<void>
  /** Drops earlier signals about the run. */
  forget: (run: number | string) => void
  /** Waits until a slot may be free, at most for the given time. */
  untilRoom: (ms: number) => Promise<void>
  /** Records that a run of this workflow has released its slot. */
  markRoom: () => void
  /** Runs `work` exclusively, so that only one of the runs that wait for a slot tries to start. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>
}

export function createRunWaits(): RunWaits {
  const changed = new Set<number | string>()
  let hasRoom = false
  let isEnding = false
  let last: Promise<unknown> = Promise.resolve()
  setHandler(defineSignal<[number | string]>(providerRunChanged), (run) => void changed.add(run))
  setHandler(defineSignal(slotFreed), () => void (hasRoom = true))

  const until = async (isOver: () => boolean, ms: number): Promise<void> => {
    if (workflowInfo().continueAsNewSuggested) isEnding = true
    if (!isEnding) await condition(() => isEnding || isOver(), ms)
    if (isEnding) throw new HistoryTooLongError()
  }

  return {
    untilChanged: (run, ms) => until(() => changed.has(run), ms),
    forget: (run) => void changed.delete(run),
    untilRoom: async (ms) => {
      hasRoom = false
      await until(() => hasRoom, ms)
    },
    markRoom: () => {
      hasRoom = true
    },
    exclusively: (work) => {
      const result = last.then(() => {
        if (isEnding) throw new HistoryTooLongError()
        return work()
      })
      last = result.catch(() => {})
      return result
    },
  }
}

/**
 * Processes the items in order, at most `lanes` at the same time. After an error, no further item starts; the error is thrown
 * once the running items have ended.
 */
export async function runInLanes<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      try {
        await work(item)
      } catch (error) {
        waiting.length = 0
        throw error
      }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  for (const result of ended) if (result.status === 'rejected') throw result.reason
}
