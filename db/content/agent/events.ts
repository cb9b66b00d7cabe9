import type { Db, Tx } from '../../postgres/client.ts'
import { pageClause, type IdPage } from '../../postgres/id-pages.ts'

export type MentionEvent = { eventId: string; workspaceId: string; threadId: string; text: string }

/** Stores a mention. Returns false when the platform has delivered it before. */
export async function insertMention(db: Db | Tx, event: MentionEvent): Promise<boolean> {
  const { count } = await db`
    insert into chat_platform_events (event_id, workspace_id, thread_id, text)
    values (${event.eventId}, ${event.workspaceId}, ${event.threadId}, ${event.text}) on conflict do nothing`
  return count === 1
}

/** Returns and locks a mention that has not been processed. The lock ends with the transaction. */
export async function lockMention(tx: Tx, eventId: string): Promise<MentionEvent | undefined> {
  const [event] = await tx<MentionEvent[]>`
    select event_id, workspace_id, thread_id, text from chat_platform_events
    where event_id = ${eventId} and done_at is null for update`
  return event
}

export async function markMentionDone(tx: Tx, eventId: string): Promise<void> {
  await tx`update chat_platform_events set done_at = now() where event_id = ${eventId}`
}

/** Returns mentions that have not been processed. `minAgeMs` leaves time for the request that accepted them. */
export function listWaitingMentions(db: Db, minAgeMs: number, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select event_id as id from chat_platform_events
    where done_at is null and received_at < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and ${pageClause(db, page, 'event_id')}`
}
