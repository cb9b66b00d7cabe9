import type { NewProviderEvent, ProviderEvent } from '../../../domain/payments/provider.ts'
import type { Db } from '../../postgres/client.ts'

const columns = (db: Db) => db`
  id, type, object_id as "objectId", payload, attempts, delivered_at as "deliveredAt",
  next_attempt_at as "nextAttemptAt", last_answer as "lastAnswer", created_at as "createdAt"`

export const insertEvent = async (db: Db, event: NewProviderEvent): Promise<void> => {
  await db`
    insert into embedded_payment_events (id, type, object_id, payload, next_attempt_at)
    values (${event.id}, ${event.type}, ${event.objectId}, ${event.payload}, ${event.nextAttemptAt})`
}

export const listEvents = (db: Db, limit: number): Promise<ProviderEvent[]> =>
  db<ProviderEvent[]>`
    select ${columns(db)} from embedded_payment_events order by created_at desc, id desc limit ${limit}`

/** Whoever claims an event has it until the lease ends; a process that dies with it loses it to the next claim. */
export const claimEvents = (db: Db, now: Date, until: Date, limit: number): Promise<ProviderEvent[]> =>
  db<ProviderEvent[]>`
    update embedded_payment_events set next_attempt_at = ${until}, attempts = attempts + 1
    where id in (
      select id from embedded_payment_events where next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit} for update skip locked
    ) returning ${columns(db)}`

export const settleEvent = async (
  db: Db,
  id: string,
  outcome: { answer: string; deliveredAt: Date | null; nextAttemptAt: Date | null },
): Promise<void> => {
  await db`
    update embedded_payment_events set last_answer = ${outcome.answer},
      delivered_at = coalesce(${outcome.deliveredAt}::timestamptz, delivered_at),
      next_attempt_at = ${outcome.nextAttemptAt}
    where id = ${id}`
}

export const repeatEvent = async (db: Db, id: string, now: Date): Promise<void> => {
  await db`update embedded_payment_events set next_attempt_at = ${now}, attempts = 0 where id = ${id}`
}
