import type { Tx } from '../postgres/client.ts'

/** Selects the runs of a session or of one chat. */
type RunScope = { sessionId: string } | { chatId: string }

/**
 * Deletes the chat content that runs store: inputs, tool calls, sub-agents and commit texts. Keeps the runs with their
 * ends, steps and charges. None of the runs may be live. The sweeper deletes frames an hour later, so that readers of a run
 * that the deletion stopped still receive its end.
 */
export async function deleteRunContent(tx: Tx, scope: RunScope): Promise<void> {
  const runs = 'sessionId' in scope ? tx`session_id = ${scope.sessionId}` : tx`chat_id = ${scope.chatId}`
  const ids = tx`select id from runs where ${runs}`
  await tx`delete from run_inputs where run_id in (${ids})`
  // Sub-agents are deleted with their calls by cascade.
  await tx`delete from run_tool_calls where run_id in (${ids})`
  await tx`
    update turn_commits set message = null, staged_diff = null, error = null, left_out = null
    where run_id in (${ids})
      and (message is not null or staged_diff is not null or error is not null or left_out is not null)`
}
