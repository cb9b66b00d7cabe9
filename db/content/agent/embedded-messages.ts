import type { ChatMessages, EmbeddedMessage } from '../../../domain/content/agent/messages.ts'
import type { Db, Tx } from '../../postgres/client.ts'

/** Stores the agent's posts in the embedded team chat. */
export function createChatMessages(db: Db): ChatMessages {
  return { keep: (message) => storeMessage(db, { ...message, author: 'agent' }) }
}

/** Stores a message once per key. Returns its id. */
export async function storeMessage(
  db: Db | Tx,
  { threadId, author, text, file = null, key = null }: Omit<EmbeddedMessage, 'id' | 'createdAt'>,
): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into embedded_chat_messages (thread_id, author, text, file, key)
    values (${threadId}, ${author}, ${text}, ${file === null ? null : JSON.stringify(file)}::text::jsonb, ${key})
    on conflict (key) do update set key = excluded.key returning id::text`
  return row?.id ?? ''
}

/** Returns the first 200 messages of a thread, oldest first. */
export function listThreadMessages(db: Db, threadId: string): Promise<EmbeddedMessage[]> {
  return db<EmbeddedMessage[]>`
    select id::text, thread_id, author, text, file, key, created_at from embedded_chat_messages
    where thread_id = ${threadId} order by id limit 200`
}

export type ThreadSummary = { threadId: string; text: string; messageCount: number; startedAt: Date }

/** Returns threads, latest first. `text` is the text of the first message. */
export function listChatThreads(db: Db, limit: number): Promise<ThreadSummary[]> {
  return db<ThreadSummary[]>`
    select thread_id, (array_agg(text order by id))[1] as text, count(*)::int as message_count,
      min(created_at) as started_at
    from embedded_chat_messages group by thread_id order by min(id) desc limit ${limit}`
}

/** Returns whether the thread has unprocessed mentions, videos in progress or unsent posts. */
export async function isThreadBusy(db: Db, threadId: string): Promise<boolean> {
  const [row] = await db<[{ busy: boolean }]>`
    select exists (select 1 from chat_posts where thread_id = ${threadId} and state = 'waiting')
      or exists (select 1 from content_threads where thread_id = ${threadId} and state in ('running', 'posting'))
      or exists (select 1 from chat_platform_events where thread_id = ${threadId} and done_at is null) as busy`
  return row.busy
}
