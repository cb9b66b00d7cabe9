import type { MessagePart } from '../../domain/chat/messages.ts'
import type { Tx } from '../postgres/client.ts'
import { appendParts } from '../sessions/messages.ts'

type Target = { chatId: string; messageId: string }

/** Number of parts of the stored message; 0 without such a message. */
export async function countParts(tx: Tx, { chatId, messageId }: Target): Promise<number> {
  const [row] = await tx<{ parts: number }[]>`
    select count(*)::int as parts from chat_message_parts where chat_id = ${chatId} and message_id = ${messageId}`
  return row?.parts ?? 0
}

/** Creates the assistant message if it is missing, writes these parts from `position` on, and merges the metadata. */
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
  await tx`
    insert into chat_messages (chat_id, id, role) values (${chatId}, ${messageId}, 'assistant') on conflict do nothing`
  await cutParts(tx, { chatId, messageId }, position)
  await appendParts(tx, chatId, messageId, parts)
  const [row] = await tx<{ metadata: string | null }[]>`
    select metadata::text as metadata from chat_messages where chat_id = ${chatId} and id = ${messageId}`
  const merged = { ...(JSON.parse(row?.metadata ?? '{}') as object), ...metadata }
  await tx`
    update chat_messages set metadata = ${JSON.stringify(merged)}::text::json
    where chat_id = ${chatId} and id = ${messageId}`
}

async function cutParts(tx: Tx, { chatId, messageId }: Target, position: number): Promise<void> {
  await tx`
    delete from chat_message_parts
    where chat_id = ${chatId} and message_id = ${messageId} and position >= ${position}`
}
