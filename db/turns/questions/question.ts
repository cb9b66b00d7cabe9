import { deniedPart, isApprovalRequest } from '../../../domain/chat/approvals.ts'
import type { MessagePart } from '../../../domain/chat/messages.ts'
import type { Db, Tx } from '../../postgres/client.ts'

/** Locks and returns the open questions and requested approvals of one stored message of the selected branch. */
export async function lockOpenQuestions(tx: Tx, chatId: string, messageId: string): Promise<MessagePart[]> {
  const rows = await tx<{ part: MessagePart }[]>`
    select part from chat_message_parts
    where chat_id = ${chatId} and message_id = ${messageId} and ${isOpenQuestion(tx)} and exists (
      select 1 from chat_messages where chat_id = ${chatId} and id = ${messageId} and ${isOnSelectedBranch(tx, chatId)}
    )
    order by position for update`
  return rows.map((row) => row.part)
}

/**
 * SQL condition on a row of `runs`: the turn waits for the user. Its question or approval is open on the selected branch,
 * the chat has no newer turn, and the session is not archived. `run` is the alias of the row. `offset 0` makes each row
 * look up its chat by index; otherwise, the planner may read all chats for a page.
 */
export function isAwaited(db: Db, run: ReturnType<typeof isOpenQuestion>) {
  return db`(
    ${run}.end_reason = 'awaiting_user'
    and not exists (
      select 1 from runs newer
      where newer.session_id = ${run}.session_id and newer.chat_id = ${run}.chat_id and newer.created_at > ${run}.created_at
      offset 0
    )
    and exists (
      select 1 from chats join sessions on sessions.id = chats.session_id
        join chat_messages message on message.chat_id = chats.id and message.branch_id is not distinct from chats.branch_id
        join chat_message_parts part on part.chat_id = message.chat_id and part.message_id = message.id
      where chats.id = ${run}.chat_id and message.id = ${run}.assistant_message_id and sessions.status <> 'archived'
        and ${isOpenQuestion(db)}
      offset 0
    )
  )`
}

/** Stores the user's answer to an open question or requested approval. */
export async function answerQuestion(tx: Tx, chatId: string, messageId: string, part: MessagePart): Promise<void> {
  await tx`
    update chat_message_parts set part = ${JSON.stringify(part)}::text::json
    where chat_id = ${chatId} and message_id = ${messageId} and tool_call_id = ${String(part['toolCallId'])}
      and ${isOpenQuestion(tx)}`
}

/**
 * Closes the open questions and approvals of the selected branch as unanswered, because the user sent a new message
 * instead.
 */
export async function closeQuestions(tx: Tx, chatId: string): Promise<void> {
  // Only the last assistant message can wait for an answer.
  const rows = await tx<{ messageId: string; position: number; part: MessagePart }[]>`
    select message_id, position, part from chat_message_parts
    where chat_id = ${chatId} and ${isOpenQuestion(tx)} and message_id = (
      select id from chat_messages
      where chat_id = ${chatId} and role = 'assistant' and ${isOnSelectedBranch(tx, chatId)}
      order by position desc limit 1
    )
    for update`
  for (const { messageId, position, part } of rows) {
    const closedPart = JSON.stringify(closeQuestion(part))
    await tx`
      update chat_message_parts set part = ${closedPart}::text::json
      where chat_id = ${chatId} and message_id = ${messageId} and position = ${position}`
  }
}

// Messages shared with the parent branch have no open question, because the message that follows them has closed it.
// `offset 0` prevents a join, as in `onPath`.
function isOnSelectedBranch(tx: Tx, chatId: string) {
  return tx`
  exists (select 1 from chats where id = ${chatId} and branch_id is not distinct from chat_messages.branch_id offset 0)`
}

/** Returns the part of a question or approval request, closed as unanswered. */
export function closeQuestion(part: MessagePart): MessagePart {
  return isApprovalRequest(part)
    ? deniedPart(part, notAnsweredText)
    : { ...part, state: 'output-error', errorText: notAnsweredText }
}

const notAnsweredText = 'Not answered'

/** SQL condition on a row of `chat_message_parts`: an unanswered question or a requested approval. */
function isOpenQuestion(db: Db) {
  return db`
  (part ->> 'state' = 'approval-requested'
    or part ->> 'type' = 'tool-ask_user_question' and part ->> 'state' = 'input-available')`
}
