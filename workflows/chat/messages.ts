import { declareWorkflow, priorities } from '../messages.ts'

/** `restart` counts how often the workflow was begun anew. */
export type RunTurnInput = {
  runId: string
  restart?: number
  /** Milliseconds from its start. Without it the turn first reads whether it is headless and what time it has left. */
  timeLimitMs?: number
  /** A sandbox is made before the first step. */
  headless?: boolean
  /** The files of the sandbox are put back before the first step. */
  restoresFiles?: boolean
}

/** One chat turn; workflow id = run id. A headless turn gets its sandbox behind the interactive ones. */
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

/** Summarises the earlier turns of a chat, up to a message: one workflow for each, as there is one summary for each. */
export const compactChat = declareWorkflow<CompactChatInput>({
  type: 'compactChat',
  id: ({ chatId, throughId }) => `compact:${chatId}:${throughId}`,
  owner: ({ chatId }) => ({ chatId }),
})
