import type { MessagePart } from '../../domain/chat/messages.ts'
import type { Tx } from '../postgres/client.ts'
import { partRows } from '../sessions/messages.ts'

type Target = { chatId: string; messageId: string }

/** Returns the number of parts of a stored message; 0 if the message does not exist. */
export async function countParts(tx: Tx, { chatId, messageId }: Target): Promise<number> {
  const [row] = await tx<{ parts: number }[]>`
    select count(*)::int as parts from chat_message_parts where chat_id = ${chatId} and message_id = ${messageId}`
  return row?.parts ?? 0
}

/** Creates the assistant message if it is missing, replaces its parts from `position` on with these, and merges the metadata. */
export async function saveAssistantMessage(
  tx: Tx,
  {
    chatId,
    messageId,
    position,
    parts,
    metadata,
  }: Target & { position: number; parts: MessagePart[]; metadata: object },
): Promise<void> {
  const [row] = await tx<{ metadata: string | null }[]>`
    with known as (
      select metadata from chat_messages where chat_id = ${chatId} and id = ${messageId}
    ), message as (
      insert into chat_messages (chat_id, id, role) values (${chatId}, ${messageId}, 'assistant') on conflict do nothing
    ), cut as (
      delete from chat_message_parts
      where chat_id = ${chatId} and message_id = ${messageId} and position >= ${position}
      returning position
    ), parts as (
      insert into chat_message_parts (chat_id, message_id, position, tool_call_id, part)
      select ${chatId}, ${messageId}, ${position}::int + added.ordinality - 1, added.call_id, added.part::json
      from (select count(*) from cut) as cleared, ${partRows(tx, parts)}
    )
    select metadata::text as metadata from known`
  const merged = { ...(JSON.parse(row?.metadata ?? '{}') as object), ...metadata }
  await tx`
    update chat_messages set metadata = ${JSON.stringify(merged)}::text::json
    where chat_id = ${chatId} and id = ${messageId}`
}
