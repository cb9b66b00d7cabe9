import type { MessagePart } from '../../domain/messages.ts'
import type { Tx } from '../client.ts'
import { appendParts } from '../messages.ts'

type Target = { chatId: string; messageId: string }

/** How many parts the stored message has; 0 when there is no such message. */
export const countParts = async (tx: Tx, { chatId, messageId }: Target): Promise<number> => {
  const [row] = await tx<{ parts: number }[]>`
    select count(*)::int as parts from chat_message_parts where chat_id = ${chatId} and message_id = ${messageId}`
  return row?.parts ?? 0
}

/** Makes the assistant message when it is not there, puts these parts at `position` and after, and merges metadata. */
export const saveAssistantMessage = async (
  tx: Tx,
  {
    chatId,
    messageId,
    position,
    parts,
    metadata,
  }: Target & { position: number; parts: MessagePart[]; metadata: object },
): Promise<void> => {
  await tx`
    insert into chat_messages (chat_id, id, role) values (${chatId}, ${messageId}, 'assistant') on conflict do nothing`
  await tx`
    delete from chat_message_parts
    where chat_id = ${chatId} and message_id = ${messageId} and position >= ${position}`
  await appendParts(tx, chatId, messageId, parts)
  const [row] = await tx<{ metadata: string | null }[]>`
    select metadata::text as metadata from chat_messages where chat_id = ${chatId} and id = ${messageId}`
  const merged = { ...(JSON.parse(row?.metadata ?? '{}') as object), ...metadata }
  await tx`
    update chat_messages set metadata = ${JSON.stringify(merged)}::text::json
    where chat_id = ${chatId} and id = ${messageId}`
}
