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
  waitForWebhook: (run: number | string, ms: number) => Promise<void>
  /** Drops earlier signals about the run. */
  clearSignals: (run: number | string) => void
  /** Waits until a slot may be free, at most for the given time. */
  waitForSlot: (ms: number) => Promise<void>
  /** Records that a run of this workflow has released its slot. */
  markSlotFree: () => void
  /** Runs `work` exclusively, so that only one of the runs that wait for a slot tries to start. */
  runExclusively: <T>(work: () => Promise<T>) => Promise<T>
}

export function createRunWaits(): RunWaits {
  const changedRuns = new Set<number | string>()
  let hasFreeSlot = false
  let isEnding = false
  let lastWork: Promise<unknown> = Promise.resolve()
  setHandler(defineSignal<[number | string]>(providerRunChanged), (run) => void changedRuns.add(run))
  setHandler(defineSignal(slotFreed), () => void (hasFreeSlot = true))

  const until = async (isDone: () => boolean, ms: number): Promise<void> => {
    if (workflowInfo().continueAsNewSuggested) isEnding = true
    if (!isEnding) await condition(() => isEnding || isDone(), ms)
    if (isEnding) throw new HistoryTooLongError()
  }

  return {
    waitForWebhook: (run, ms) => until(() => changedRuns.has(run), ms),
    clearSignals: (run) => void changedRuns.delete(run),
    waitForSlot: async (ms) => {
      hasFreeSlot = false
      await until(() => hasFreeSlot, ms)
    },
    markSlotFree: () => {
      hasFreeSlot = true
    },
    runExclusively: (work) => {
      const result = lastWork.then(() => {
        if (isEnding) throw new HistoryTooLongError()
        return work()
      })
      lastWork = result.catch(() => {})
      return result
    },
  }
}

/**
 * Processes the items in order, at most `maxConcurrent` concurrently. After an error, no other item starts, and the error is
 * thrown once the running items have ended.
 */
export async function runConcurrently<Item>(
  items: readonly Item[],
  maxConcurrent: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remainingItems = [...items]
  const processItems = async (): Promise<void> => {
    for (let item = remainingItems.shift(); item !== undefined; item = remainingItems.shift())
      try {
        await work(item)
      } catch (error) {
        remainingItems.length = 0
        throw error
      }
  }
  const results = await Promise.allSettled(Array.from({ length: maxConcurrent }, processItems))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
