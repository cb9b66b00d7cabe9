import type { Tx } from '../postgres/client.ts'
import { closeQuestions } from '../turns/questions/question.ts'
import { branchPath, onPath } from './branch-path.ts'

type Copy = {
  from: string
  /** Branch of the chat `from`; null is its trunk. */
  branch: string | null
  /** Position of the last message. */
  through: number
  to: string
}

/**
 * Copies the messages of a branch in order into an empty chat. Open questions and requested approvals are closed as
 * unanswered in the copy, because the user can answer them only in the original chat.
 */
export async function copyMessages(tx: Tx, { from, branch, through, to }: Copy): Promise<void> {
  await tx`
    with recursive ${branchPath(tx, from, branch)}, copied as (
      insert into chat_messages (chat_id, id, role, metadata, created_at)
      select ${to}, id, role, metadata, created_at from chat_messages
      where chat_id = ${from} and position <= ${through} and ${onPath(tx)}
      order by position
      returning id
    )
    insert into chat_message_parts (chat_id, message_id, position, tool_call_id, part)
    select ${to}, message_id, position, tool_call_id, part from chat_message_parts
    where chat_id = ${from} and message_id in (select id from copied)`
  await closeQuestions(tx, to)
}
