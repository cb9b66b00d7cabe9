import { declareWorkflow, priorities } from '../messages.ts'

/** `restart`: how often the workflow was restarted. */
export type RunTurnInput = {
  runId: string
  restart?: number
  /**
   * Time limit from the start of the workflow. If absent, the turn first reads whether it is headless and its remaining
   * time.
   */
  timeLimitMs?: number
  /** Create a sandbox before the first step. */
  headless?: boolean
  /** Restore the files of the sandbox before the first step. */
  restoresFiles?: boolean
}

/** One chat turn; the workflow id is the run id. Sandboxes of headless turns start after those of interactive ones. */
export const runTurn = declareWorkflow<RunTurnInput>({
  type: 'runTurn',
  id: ({ runId }) => runId,
  use: 'once',
  owner: ({ runId }) => ({ runId }),
  priority: ({ headless, timeLimitMs, restart }) =>
    headless === true || (timeLimitMs === undefined && restart === undefined) ? priorities.background : undefined,
  taskTimeoutMs: 5000,
})

export type CompactChatInput = { chatId: string; throughId: string }

/**
 * Summarizes the earlier turns of a chat up to a message. One workflow per message, because there is one summary per
 * message.
 */
export const compactChat = declareWorkflow<CompactChatInput>({
  type: 'compactChat',
  id: ({ chatId, throughId }) => `compact:${chatId}:${throughId}`,
  owner: ({ chatId }) => ({ chatId }),
})
