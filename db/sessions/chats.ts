import { newChatTitle, type ChatRow } from '../../domain/chat/chats.ts'
import { isUuid } from '../../domain/fields/ids.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { deleteRunContent } from '../runs/content.ts'

/** Returns a chat. Undefined for an unknown id, including an id that is not a UUID. */
export async function findChat(db: Db, id: string): Promise<ChatRow | undefined> {
  if (!isUuid(id)) return undefined
  const [chat] = await db<ChatRow[]>`
    select ${columns(db)} from chats join sessions on sessions.id = chats.session_id where chats.id = ${id}`
  return chat
}

export type NewChat = { sessionId: string; ownerId: string; id?: string; title?: string; modelId?: string | null }

/** Inserts a chat. Undefined when a chat with this id exists. */
export async function insertChat(
  tx: Tx,
  { sessionId, ownerId, id, title = newChatTitle, modelId = null }: NewChat,
): Promise<ChatRow | undefined> {
  const [chat] = await tx<ChatRow[]>`
    with chats as (
      insert into chats (id, session_id, title, model_id)
      select coalesce(${id ?? null}::uuid, gen_random_uuid()), id, ${title}, ${modelId}
      from sessions where id = ${sessionId} and account_id = ${ownerId}
      on conflict (id) do nothing
      returning id, session_id, title, model_id, auto_compact, active_stream_id, last_assistant_message_at, created_at,
        updated_at
    )
    select ${columns(tx)} from chats join sessions on sessions.id = chats.session_id`
  return chat
}

export async function countChats(db: Db, sessionId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`select count(*) from chats where session_id = ${sessionId}`
  return row.count
}

export type ChatSummary = ChatRow & { hasUnread: boolean; isStreaming: boolean }

/** Returns the chats of a session, oldest first. */
export function listChats(
  db: Db,
  { sessionId, readerId, limit, offset }: { sessionId: string; readerId: string; limit: number; offset: number },
): Promise<ChatSummary[]> {
  return db<ChatSummary[]>`
  select ${columns(db)},
    coalesce(chats.last_assistant_message_at > coalesce(read.last_read_at, '-infinity'), false) as has_unread,
    exists (select 1 from runs where chat_id = chats.id and status in ('queued', 'running')) as is_streaming
  from chats
  join sessions on sessions.id = chats.session_id
  left join chat_reads as read on read.chat_id = chats.id and read.account_id = ${readerId}
  where chats.session_id = ${sessionId}
  order by chats.created_at, chats.id limit ${limit} offset ${offset}`
}

export type AccountChat = Pick<ChatRow, 'id' | 'title' | 'sessionId' | 'updatedAt'> & {
  accountId: string
  artistId: string | null
}

/** Returns the chats of an account, latest change first. Excludes chats of archived sessions and chats without messages. */
export function listAccountChats(
  db: Db,
  ownerId: string,
  {
    id,
    artistId,
    limit,
    offset,
  }: { id?: string | undefined; artistId: string | undefined; limit: number; offset: number },
): Promise<AccountChat[]> {
  return db<AccountChat[]>`
  select chats.id, chats.title, sessions.account_id, chats.session_id, chats.updated_at, sessions.artist_id
  from chats join sessions on sessions.id = chats.session_id
  where chats.owner_account_id = ${ownerId} and sessions.status <> 'archived'
    ${artistId === undefined ? db`` : db`and sessions.artist_id = ${artistId}`}
    ${id === undefined ? db`` : db`and chats.id = ${id}`}
    and exists (select 1 from chat_messages where chat_id = chats.id)
  order by chats.updated_at desc, chats.id limit ${limit} offset ${offset}`
}

/** Updates the owner's settings of a chat. Undefined fields do not change. */
export async function updateChat(
  tx: Db,
  { id, ownerId }: Pick<ChatRow, 'id' | 'ownerId'>,
  {
    title,
    modelId,
    autoCompact,
  }: { title?: string | undefined; modelId?: string | undefined; autoCompact?: boolean | undefined },
): Promise<ChatRow | undefined> {
  const [chat] = await tx<ChatRow[]>`
    update chats set title = coalesce(${title ?? null}, chats.title), model_id = coalesce(${modelId ?? null}, model_id),
      auto_compact = coalesce(${autoCompact ?? null}, auto_compact),
      updated_at = now()
    from sessions
    where chats.id = ${id} and sessions.id = chats.session_id and sessions.account_id = ${ownerId}
    returning ${columns(tx)}`
  return chat
}

/** Deletes a chat with its messages, its read records and the content of its runs. */
export async function deleteChat(tx: Tx, { id, ownerId }: Pick<ChatRow, 'id' | 'ownerId'>): Promise<void> {
  const deleted = await tx`
    delete from chats using sessions
    where chats.id = ${id} and sessions.id = chats.session_id and sessions.account_id = ${ownerId}`
  if (deleted.count > 0) await deleteRunContent(tx, { chatId: id })
}

/** Records that the account has read the chat up to now. The time never moves backwards. */
export async function markRead(db: Db, chatId: string, accountId: string): Promise<void> {
  await db`
    insert into chat_reads (account_id, chat_id, last_read_at) values (${accountId}, ${chatId}, now())
    on conflict (account_id, chat_id) do update
      set last_read_at = greatest(chat_reads.last_read_at, excluded.last_read_at)`
}

function columns(db: Db) {
  return db`
  chats.id, chats.session_id, sessions.account_id as owner_id, chats.title, chats.model_id, chats.auto_compact,
  chats.active_stream_id, chats.last_assistant_message_at, chats.created_at, chats.updated_at`
}
