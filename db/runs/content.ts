import type { Tx } from '../postgres/client.ts'

/** Selects the runs of a session or of one chat. */
type Of = { sessionId: string } | { chatId: string }

/**
 * Deletes the content of a chat that its runs hold: inputs, tool calls, sub-agents and commit texts. The runs
 * themselves stay, with their ends, steps and charges. None of them may be live. Their frames are deleted one hour
 * later, so that a reader of a run that the deletion stopped still receives its end.
 */
export async function deleteRunContent(tx: Tx, of: Of): Promise<void> {
  const runs = 'sessionId' in of ? tx`session_id = ${of.sessionId}` : tx`chat_id = ${of.chatId}`
  const ids = tx`select id from runs where ${runs}`
  await tx`delete from run_inputs where run_id in (${ids})`
  // Sub-agents are deleted with their calls by cascade.
  await tx`delete from run_tool_calls where run_id in (${ids})`
  await tx`
    update turn_commits set message = null, staged_diff = null, error = null, left_out = null
    where run_id in (${ids})
      and (message is not null or staged_diff is not null or error is not null or left_out is not null)`
}
