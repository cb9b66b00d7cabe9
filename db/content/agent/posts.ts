import type { ChatPost } from '../../../domain/content/agent/posts.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { pageClause, type IdPage } from '../../postgres/id-pages.ts'

export type WaitingPost = ChatPost & { isRequested: boolean }

/** Inserts posts. A post whose key exists does not change. */
export async function insertPosts(tx: Tx, threadId: string, posts: readonly ChatPost[]): Promise<void> {
  for (const { key, text, file } of posts)
    await tx`
      insert into chat_posts (thread_id, key, text, file)
      values (${threadId}, ${key}, ${text}, ${file === undefined ? null : JSON.stringify(file)}::text::jsonb)
      on conflict do nothing`
}

/** Returns the keys of the waiting posts, in order. */
export async function listWaitingPosts(db: Db, threadId: string): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select key from chat_posts where thread_id = ${threadId} and state = 'waiting' order by place`
  return rows.map(({ key }) => key)
}

/** Returns a waiting post; undefined when it was sent or has failed. */
export async function findWaitingPost(db: Db, threadId: string, key: string): Promise<WaitingPost | undefined> {
  const [post] = await db<(Omit<WaitingPost, 'file'> & { file: ChatPost['file'] | null })[]>`
    select key, text, file, asked_at is not null as is_requested from chat_posts
    where thread_id = ${threadId} and key = ${key} and state = 'waiting'`
  if (post === undefined) return undefined
  const { file, ...rest } = post
  return { ...rest, ...(file && { file }) }
}

/** Records the intent to send a post. Returns false when an earlier attempt may have sent it. */
export async function announcePost(db: Db, threadId: string, key: string): Promise<boolean> {
  const { count } = await db`
    update chat_posts set asked_at = now() where thread_id = ${threadId} and key = ${key} and asked_at is null`
  return count === 1
}

/** Deletes the recorded intent after the platform rejected the post, so that the post can be sent again. */
export async function withdrawPost(db: Db, threadId: string, key: string): Promise<void> {
  await db`
    update chat_posts set asked_at = null where thread_id = ${threadId} and key = ${key} and state = 'waiting'`
}

export async function endPost(
  db: Db,
  { threadId, key }: { threadId: string; key: string },
  end: { state: 'sent'; messageId: string } | { state: 'failed' | 'in_doubt' },
): Promise<void> {
  await db`
    update chat_posts set state = ${end.state}, message_id = ${'messageId' in end ? end.messageId : null}
    where thread_id = ${threadId} and key = ${key} and state = 'waiting'`
}

/** Replaces a file that the platform rejected with its URL at the end of the text. */
export async function replaceFileWithUrl(db: Db, threadId: string, { key, text, file }: ChatPost): Promise<void> {
  await db`
    update chat_posts set file = null, text = ${`${text}\n${file?.url ?? ''}`}, asked_at = null
    where thread_id = ${threadId} and key = ${key} and state = 'waiting' and file is not null`
}

/** Returns threads with a waiting post, or in the state `posting`, that has not changed for `minAgeMs`. */
export function listUnpostedThreads(db: Db, minAgeMs: number, page: IdPage): Promise<{ id: string }[]> {
  const before = db`now() - make_interval(secs => ${minAgeMs / 1000}::float8)`
  return db<{ id: string }[]>`
    select id from (
      select thread_id as id from chat_posts where state = 'waiting' and updated_at < ${before}
      union
      select thread_id from content_threads where state = 'posting' and updated_at < ${before}
    ) as unposted
    where ${pageClause(db, page)}`
}
