import type { TurnEnd } from '../../../domain/chat/turns.ts'
import type { Tx } from '../../postgres/client.ts'
import type { Run } from '../../runs/runs.ts'
import { deleteSubAgentsClause } from '../sub-agents/usage.ts'

type End = { status: 'completed' | 'failed' | 'cancelled'; reason: TurnEnd['reason']; error: string | null }

/**
 * Ends the row of a locked run and releases its chat's slot, its tool calls, its input and its key, in one statement.
 * `keepsSubAgents`: does not delete the sub-agents, because a manual charge needs their usage.
 */
export async function closeRun(
  tx: Tx,
  { id, chatId }: Pick<Run, 'id' | 'chatId'>,
  { status, reason, error }: End,
  { keepsSubAgents = false } = {},
): Promise<void> {
  await tx`
    with slot as (
      update chats set updated_at = now(), last_assistant_message_at = now(),
        active_stream_id = nullif(active_stream_id, ${id})
      where id = ${chatId}
    ), calls as (
      update run_tool_calls set holder = null where run_id = ${id} and holder is not null
    ), input as (
      delete from run_inputs where run_id = ${id}
    ), key as (
      delete from account_api_keys where run_id = ${id}
    ) ${keepsSubAgents ? tx`` : tx`, ${deleteSubAgentsClause(tx, id)}`}
    update runs set status = ${status}, end_reason = ${reason}, ended_at = now(), error = ${error} where id = ${id}`
}
