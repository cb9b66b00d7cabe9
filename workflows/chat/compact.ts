import { isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { CompactChatInput } from './messages.ts'

// Three calls of the model, and what lost workers may cost besides: the activity itself says when trying again is no use.
const { compactStored, compactTurn } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '10s', maximumAttempts: 10 },
})

/** Summarises the earlier turns of a chat because somebody asked for it. */
export async function compactChat(input: CompactChatInput): Promise<void> {
  await compactStored(input)
}

/** Summarises what comes before a turn. Without a summary the turn goes on with what its model has room for. */
export async function compactBefore(step: Parameters<Activities['compactTurn']>[0]): Promise<void> {
  try {
    await compactTurn(step)
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
