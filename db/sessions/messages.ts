import type { MessagePart, StoredMessage } from '../../domain/chat/messages.ts'
import { maxPageBytes } from '../../domain/fields/pages.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { branchPath, onPath, type BranchChoice } from './branch-path.ts'

type MessageRow = Pick<StoredMessage, 'id' | 'role' | 'parts'> & { metadata: StoredMessage['metadata'] | null }

// Extracted here and not in SQL, because Postgres JSON operators fail on escapes that valid JSON may contain.
function readCallId(part: MessagePart): string | null {
  const id = part['toolCallId']
  return part.type.startsWith('tool-') && typeof id === 'string' ? id : null
}

/** SQL for the parts as rows `added (call_id, part, ordinality)`, in order. */
export function partRows(db: Db, parts: readonly MessagePart[]) {
  return db`
    unnest(${parts.map(readCallId)}::text[], ${parts.map((part) => JSON.stringify(part))}::text[])
      with ordinality as added (call_id, part, ordinality)`
}

/** Appends parts to a message. If two writers append concurrently, one violates the primary key and fails. */
export async function appendParts(
  tx: Tx,
  chatId: string,
  messageId: string,
  parts: readonly MessagePart[],
): Promise<void> {
  if (parts.length === 0) return
  await tx`
    insert into chat_message_parts (chat_id, message_id, position, tool_call_id, part)
    select ${chatId}, ${messageId}, last.position + added.ordinality, added.call_id, added.part::json
    from ${partRows(tx, parts)},
      (
        select coalesce(max(position), -1) as position from chat_message_parts
        where chat_id = ${chatId} and message_id = ${messageId}
      ) as last`
}

/** SQL for common table expressions that insert a message with its parts, unless the chat has a message with this id. */
export function insertMessageClause(db: Db, chatId: string, { id, role, metadata, parts }: StoredMessage) {
  return db`
    message as (
      insert into chat_messages (chat_id, id, role, metadata)
      values (${chatId}, ${id}, ${role}, ${toJsonColumn(db, metadata)})
      on conflict (chat_id, id) do nothing
      returning chat_id, id
    ), parts as (
      insert into chat_message_parts (chat_id, message_id, position, tool_call_id, part)
      select message.chat_id, message.id, added.ordinality - 1, added.call_id, added.part::json
      from message, ${partRows(db, parts)}
    )`
}

/** Replaces the state of a tool call. Returns false when the message has no such call. */
export async function replaceToolPart(
  tx: Tx,
  chatId: string,
  messageId: string,
  toolCallId: string,
  part: MessagePart,
): Promise<boolean> {
  const replaced = await tx`
    update chat_message_parts set part = ${toJsonColumn(tx, part)}
    where chat_id = ${chatId} and message_id = ${messageId} and tool_call_id = ${toolCallId}`
  return replaced.count > 0
}

export function columns(db: Db) {
  return db`
  id, role, metadata, (
    select coalesce(json_agg(part order by position), '[]') from chat_message_parts
    where chat_id = chat_messages.chat_id and message_id = chat_messages.id
  ) as parts`
}

export type MessagePage = { messages: StoredMessage[]; nextBefore: string | null }

type PageOptions = {
  limit: number
  before?: string | undefined
  branch?: BranchChoice
  /** Position of the last message to include. */
  through?: number | undefined
}

/**
 * Returns the last messages of a branch, or the last messages before the message `before`, oldest first. A page has at most
 * `limit` messages and 4 MB. `nextBefore` is the cursor of the page of earlier messages. Undefined when the branch has no
 * message `before`.
 */
export async function listMessages(
  db: Db,
  chatId: string,
  { limit, before, branch, through }: PageOptions,
): Promise<MessagePage | undefined> {
  const end = before === undefined ? undefined : await findPosition(db, { chatId, id: before, branch })
  if (before !== undefined && end === undefined) return undefined
  const rows = await db<(MessageRow & { seen: number })[]>`
    with recursive ${branchPath(db, chatId, branch)}, seen as (
      (
        select position, ${selectSize(db)} as bytes, 1 as place from chat_messages
        where chat_id = ${chatId} and ${onPath(db)} ${end === undefined ? db`` : db`and position < ${end}`}
          ${through === undefined ? db`` : db`and position <= ${through}`}
        order by position desc limit 1
      )
      union all
      select earlier.position, seen.bytes + earlier.bytes, seen.place + 1
      from seen, lateral (
        select position, ${selectSize(db)} as bytes from chat_messages
        where chat_id = ${chatId} and position < seen.position and ${onPath(db)} order by position desc limit 1
      ) as earlier
      where seen.place <= ${limit} and (seen.bytes <= ${maxPageBytes} or seen.place = 1)
    )
    select ${columns(db)}, (select count(*) from seen) as seen from chat_messages
    where chat_id = ${chatId} and position in (
      select position from seen where place <= ${limit} and (bytes <= ${maxPageBytes} or place = 1)
    )
    order by position`
  const messages = rows.map(toMessage)
  return { messages, nextBefore: (rows[0]?.seen ?? 0) > rows.length ? (messages[0]?.id ?? null) : null }
}

/** SQL for a value of a json column, with the exact text of `JSON.stringify`. */
function toJsonColumn(db: Db, value: object | undefined) {
  return value === undefined ? db`null` : db`${JSON.stringify(value)}::text::json`
}

async function findPosition(
  db: Db,
  { chatId, id, branch }: { chatId: string; id: string; branch: BranchChoice },
): Promise<number | undefined> {
  const [row] = await db<{ position: number }[]>`
    with recursive ${branchPath(db, chatId, branch)}
    select position from chat_messages where chat_id = ${chatId} and id = ${id} and ${onPath(db)}`
  return row?.position
}

/** SQL for the stored size of a message. */
function selectSize(db: Db) {
  return db`
  coalesce((
    select sum(octet_length(part::text)) from chat_message_parts
    where chat_id = chat_messages.chat_id and message_id = chat_messages.id
  ), 0) + coalesce(octet_length(metadata::text), 0)`
}

function toMessage({ id, role, parts, metadata }: MessageRow): StoredMessage {
  return {
    id,
    role,
    parts,
    ...(metadata !== null && { metadata }),
  }
}
