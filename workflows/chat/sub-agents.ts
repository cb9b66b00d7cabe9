import { proxyActivities, sleep } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'

// These attempts cover only lost workers and shutdowns, as in `advanceTurn`.
const { advanceSubAgent } = proxyActivities<Activities>({
  startToCloseTimeout: '15m',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '100ms', maximumInterval: '10s', maximumAttempts: 25 },
})

/**
 * Maximum concurrent sub-agents of one turn. Temporal permanently rejects the tasks of a workflow with too many open
 * activities.
 */
const maxConcurrent = 16

/** Advances sub-agents until each has its output. They run in the workflow of their turn and end with it. */
export async function runSubAgents(turn: Omit<Task, 'toolCallId'>, toolCallIds: readonly string[]): Promise<void> {
  const queue = toolCallIds.values()
  const runNext = async (): Promise<void> => {
    for (const toolCallId of queue) await runSubAgent({ ...turn, toolCallId })
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, toolCallIds.length) }, runNext))
}

type Task = Parameters<Activities['advanceSubAgent']>[0]

async function runSubAgent(task: Task): Promise<void> {
  for (;;) {
    const action = await advanceSubAgent(task)
    if (action.next === 'nothing') return
    if (action.next === 'pause') await sleep(action.ms)
  }
}
