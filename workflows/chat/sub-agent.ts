import { isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { SubStepResult } from '../../domain/chat/sub-agent.ts'
import type { RunTurnInput } from './messages.ts'
import type { Slots } from './parallel-calls.ts'

// The step itself counts what the model did wrong. These attempts are what lost and leaving workers may cost.
const { subModelStep } = proxyActivities<Activities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '100ms', maximumInterval: '10s', maximumAttempts: 25 },
})

// The call itself counts its failures. These attempts are what a sandbox that starts and lost workers may cost.
const { executeSubTool } = proxyActivities<Activities>({
  startToCloseTimeout: '130s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts: 25 },
})

const { failSubTool, endSubAgent } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

const maxSteps = 30

/**
 * The sub-agent of one `task` call: model calls and tools until its model is done, or has used up its steps. It is part of
 * its turn's workflow, and ends with it. A model that fails is an answer for the parent and not the end of the turn.
 */
export async function runSubAgent({ runId, restart }: RunTurnInput, toolCallId: string, inSlot: Slots): Promise<void> {
  for (let step = 0; step < maxSteps; step++) {
    const result = await askModel({ runId, restart, toolCallId, step }, inSlot)
    if (result === undefined) return endSubAgent({ runId, toolCallId, failed: true })
    await Promise.all(result.calls.map((callId) => runSubTool({ runId, restart }, callId, inSlot)))
    if (!result.goesOn) break
  }
  await endSubAgent({ runId, toolCallId })
}

/** Undefined when the model has failed for good. */
async function askModel(
  step: Parameters<Activities['subModelStep']>[0],
  inSlot: Slots,
): Promise<SubStepResult | undefined> {
  try {
    return await inSlot(() => subModelStep(step))
  } catch (error) {
    if (isCancellation(error)) throw error
    return undefined
  }
}

async function runSubTool({ runId, restart }: RunTurnInput, callId: string, inSlot: Slots): Promise<void> {
  try {
    await inSlot(() => executeSubTool({ runId, callId, restart }))
  } catch (error) {
    if (isCancellation(error)) throw error
    await failSubTool({ runId, callId })
  }
}
