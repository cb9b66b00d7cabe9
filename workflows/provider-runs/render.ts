import { condition, defineSignal, setHandler } from '@temporalio/workflow'
import { renderChanged } from './messages.ts'
import { rethrowIfCancelled } from './provider-run.ts'

type Poll = () => Promise<'running' | 'completed' | 'failed'>

/**
 * Returns a function that polls a render at this interval, and immediately after a webhook, until the render ends. The
 * function returns `running` if the render has not ended after `maxRepeats` more polls.
 */
export function createRenderPolls(pollIntervalMs: number): (poll: Poll, maxRepeats?: number) => ReturnType<Poll> {
  let isChanged = false
  setHandler(defineSignal(renderChanged), () => void (isChanged = true))
  return async (poll, maxRepeats = Infinity) => {
    for (let repeats = 0; ; repeats++) {
      // A provider that does not respond now may respond to the next poll.
      const state = await poll().catch((error: unknown) => {
        rethrowIfCancelled(error)
        return 'running' as const
      })
      if (state !== 'running' || repeats === maxRepeats) return state
      await condition(() => isChanged, pollIntervalMs)
      isChanged = false
    }
  }
}
