import { declareWorkflow, priorities } from '../messages.ts'

export type RunTurnInput = {
  runId: string
  /** Number of restarts of the workflow so far. */
  restart?: number
  /**
   * Time limit from the start of the workflow. If absent, the workflow first reads the remaining time and whether the turn is
   * headless.
   */
  timeLimitMs?: number
  /** Whether to start a sandbox before the first step. */
  headless?: boolean
  /** Whether to restore the files of the sandbox before the first step. */
  restoresFiles?: boolean
}

/** One chat turn. The workflow id is the run id. Headless turns have a lower priority than interactive turns. */
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
 * Summarizes the earlier turns of a chat up to a message. There is one workflow per message, because a message has one
 * summary.
 */
export const compactChat = declareWorkflow<CompactChatInput>({
  type: 'compactChat',
  id: ({ chatId, throughId }) => `compact:${chatId}:${throughId}`,
  owner: ({ chatId }) => ({ chatId }),
})
