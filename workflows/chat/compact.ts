import { isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { CompactChatInput } from './messages.ts'

// The attempts cover three model calls and retries after lost workers. The activity fails permanently when a retry
// cannot succeed.
const { compactStored, compactTurn } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '10s', maximumAttempts: 10 },
})

/** Summarizes the earlier turns of a chat on request. */
export async function compactChat(input: CompactChatInput): Promise<void> {
  await compactStored(input)
}

/**
 * Summarizes the history before a turn. Without a summary, the turn continues with the messages that fit its model's
 * context window.
 */
export async function compactBefore(step: Parameters<Activities['compactTurn']>[0]): Promise<void> {
  try {
    await compactTurn(step)
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
