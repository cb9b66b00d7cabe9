import type { ChatMessages, EmbeddedMessage } from '../../../domain/content/agent/messages.ts'
import type { Db, Tx } from '../../postgres/client.ts'

/** The message table of the embedded team chat, for what the agent posts. */
export function createChatMessages(db: Db): ChatMessages {
  return { keep: (message) => keepMessage(db, { ...message, author: 'agent' }) }
}

/** The id of the message; of the first one when the key is there already. */
export async function keepMessage(
  db: Db | Tx,
  { threadId, author, text, file = null, key = null }: Omit<EmbeddedMessage, 'id' | 'createdAt'>,
): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into embedded_chat_messages (thread_id, author, text, file, key)
    values (${threadId}, ${author}, ${text}, ${file === null ? null : JSON.stringify(file)}::text::jsonb, ${key})
    on conflict (key) do update set key = excluded.key returning id::text`
  return row?.id ?? ''
}

/** Of one thread, oldest first. */
export function listMessagesOf(db: Db, threadId: string): Promise<EmbeddedMessage[]> {
  return db<EmbeddedMessage[]>`
    select id::text, thread_id, author, text, file, key, created_at from embedded_chat_messages
    where thread_id = ${threadId} order by id limit 200`
}

export type ListedThread = { threadId: string; text: string; messageCount: number; startedAt: Date }

/** The latest first, each with its first words. */
export function listChatThreads(db: Db, limit: number): Promise<ListedThread[]> {
  return db<ListedThread[]>`
    select thread_id, (array_agg(text order by id))[1] as text, count(*)::int as message_count,
      min(created_at) as started_at
    from embedded_chat_messages group by thread_id order by min(id) desc limit ${limit}`
}

/** Whether something is still to come in the thread. */
export async function isThreadBusy(db: Db, threadId: string): Promise<boolean> {
  const [row] = await db<[{ busy: boolean }]>`
    select exists (select 1 from chat_posts where thread_id = ${threadId} and state = 'waiting')
      or exists (select 1 from content_threads where thread_id = ${threadId} and state in ('running', 'posting'))
      or exists (select 1 from chat_platform_events where thread_id = ${threadId} and done_at is null) as busy`
  return row.busy
}
