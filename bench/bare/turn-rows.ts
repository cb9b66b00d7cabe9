import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { newRunId } from '../../domain/fields/ids.ts'
import type { OpenChat } from '../stack/stack.ts'

/**
 * Inserts the rows of an accepted turn in one transaction, with one statement per table. Returns the id of the run.
 */
export async function insertTurnRows<Types extends Record<string, unknown>>(
  db: Sql<Types>,
  { account, sessionId, chatId }: OpenChat,
  message: string,
): Promise<string> {
  const [runId, messageId, userMessageId] = [newRunId(), randomUUID(), randomUUID()]
  const text = JSON.stringify({ type: 'text', text: message })
  await db.begin(async (tx) => {
    await tx`update sessions set last_activity_at = now() where id = ${sessionId}`
    await tx`update chats set active_stream_id = ${runId}, updated_at = now() where id = ${chatId}`
    await tx`
      insert into runs (id, account_id, session_id, chat_id, assistant_message_id, source, model_id)
      values (${runId}, ${account.id}, ${sessionId}, ${chatId}, ${messageId}, 'api', 'custom/default')`
    await tx`insert into run_inputs (run_id, messages) values (${runId}, ${`[${text}]`}::text::json)`
    await tx`insert into chat_messages (chat_id, id, role) values (${chatId}, ${userMessageId}, 'user')`
    await tx`
      insert into chat_message_parts (chat_id, message_id, position, part)
      values (${chatId}, ${userMessageId}, 0, ${text}::text::json)`
    await tx`insert into stream_head (run_id, day, next_seq) values (${runId}, (now() at time zone 'utc')::date, 1)`
    await tx`
      insert into stream_chunk (run_id, seq, day, body)
      values (${runId}, 0, (now() at time zone 'utc')::date, '{"type":"start"}')`
  })
  return runId
}

/** Marks the run as completed, so that no sweep treats it as lost. */
export async function endTurnRows<Types extends Record<string, unknown>>(
  db: Sql<Types>,
  { chatId }: Pick<OpenChat, 'chatId'>,
  runId: string,
): Promise<void> {
  await db`update runs set status = 'completed' where id = ${runId}`
  await db`update chats set active_stream_id = null where id = ${chatId}`
}
