import { isUuid } from '../../domain/fields/ids.ts'
import type { Db } from '../postgres/client.ts'

export type NewInboxMessage = { idempotencyKey: string; recipients: string[]; subject: string; raw: Buffer }
export type InboxMessage = { id: string; recipients: string[]; subject: string; receivedAt: Date }

/** Stores a message once per key. Returns its id. */
export async function storeInboxMessage(db: Db, message: NewInboxMessage): Promise<string> {
  const [stored] = await db<{ id: string }[]>`
    insert into inbox_messages (idempotency_key, recipients, subject, raw)
    values (${message.idempotencyKey}, ${message.recipients}::text[], ${message.subject}, ${message.raw})
    on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key
    returning id`
  if (stored === undefined) throw new Error('an inserted message was not returned')
  return stored.id
}

export type InboxPage = { recipient?: string | undefined; limit: number; offset: number }

/** Returns messages, newest first. */
export function listInboxMessages(db: Db, { recipient, limit, offset }: InboxPage): Promise<InboxMessage[]> {
  return db<InboxMessage[]>`
    select id, to_json(recipients) as recipients, subject, received_at from inbox_messages
    where ${recipient ?? null}::text is null or recipients @> array[${recipient ?? null}::text]
    order by received_at desc, id desc limit ${limit} offset ${offset}`
}

/** Returns a message with its raw bytes. An id that is not a UUID matches no message. */
export async function findInboxMessage(db: Db, id: string): Promise<(InboxMessage & { raw: Buffer }) | undefined> {
  if (!isUuid(id)) return undefined
  const [message] = await db<(InboxMessage & { raw: Buffer })[]>`
    select id, to_json(recipients) as recipients, subject, raw, received_at from inbox_messages where id = ${id}`
  return message
}

/** Deletes all but the newest `keep` messages. */
export async function trimInbox(db: Db, keep: number): Promise<void> {
  await db`
    delete from inbox_messages where id in (
      select id from inbox_messages order by received_at desc, id desc offset ${keep}
    )`
}
