import { declareWorkflow, priorities } from '../messages.ts'

/** What bounds a turn: model calls, and milliseconds from its start. */
export type TurnLimits = { stepLimit: number; timeLimitMs: number }

/**
 * `restart` counts how often the workflow was begun anew. With `limits` the turn begins with its first step; without them it
 * first reads what it is and what time it has left, as headless turns do.
 */
export type RunTurnInput = {
  runId: string
  restart?: number
  limits?: TurnLimits
  /** The files of the sandbox are put back before the first step. */
  restoresFiles?: boolean
}

/** One chat turn; workflow id = run id. A headless turn gets its sandbox behind the interactive ones. */
export const runTurn = declareWorkflow<RunTurnInput>({
  type: 'runTurn',
  id: ({ runId }) => runId,
  use: 'once',
  owner: ({ runId }) => ({ runId }),
  priority: ({ limits, restart }) =>
    limits === undefined && restart === undefined ? priorities.background : undefined,
  taskTimeoutMs: 5000,
})

export type CompactChatInput = { chatId: string; throughId: string }

/** Summarises the earlier turns of a chat, up to a message: one workflow for each, as there is one summary for each. */
export const compactChat = declareWorkflow<CompactChatInput>({
  type: 'compactChat',
  id: ({ chatId, throughId }) => `compact:${chatId}:${throughId}`,
  owner: ({ chatId }) => ({ chatId }),
})
