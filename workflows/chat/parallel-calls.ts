import { patched, workflowInfo } from '@temporalio/workflow'
import type { StepResult } from '../../domain/chat/turns.ts'

/** Activities of one turn that run at once. */
const maxAtOnce = 16

/** Runs work as soon as fewer than so many others do. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

const unbounded: Slots = (work) => work()

/**
 * For the calls of one step, and those of their sub-agents, which share it: a sub-agent holds no slot but for each of its
 * activities, so that none waits for itself. The engine refuses a workflow with too many activities at once for ever.
 */
export function slotsFor(calls: StepResult['toolCalls'], runsSubAgent: string): Slots {
  return mayExceed(calls, runsSubAgent) && patched('parallel-calls') ? bounded(maxAtOnce) : unbounded
}

/** Whether a history has grown long enough to go on in a new one; histories of earlier builds did so for sub-agents only. */
export function isLong(calls: StepResult['toolCalls'], runsSubAgent: string): boolean {
  return (
    workflowInfo().continueAsNewSuggested &&
    (calls.some(({ toolName }) => toolName === runsSubAgent) || patched('long-turn'))
  )
}

function mayExceed(calls: StepResult['toolCalls'], runsSubAgent: string): boolean {
  return calls.length > maxAtOnce || calls.some(({ toolName }) => toolName === runsSubAgent)
}

function bounded(free: number): Slots {
  const waiting: (() => void)[] = []
  return async (work) => {
    // Work that need not wait begins at once: activities are scheduled in the order of their calls.
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
