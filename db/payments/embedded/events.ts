import type { NewProviderEvent, ProviderEvent } from '../../../domain/payments/provider.ts'
import type { Db } from '../../postgres/client.ts'

export async function insertEvent(db: Db, event: NewProviderEvent): Promise<void> {
  await db`
    insert into embedded_payment_events (id, type, object_id, payload, next_attempt_at)
    values (${event.id}, ${event.type}, ${event.objectId}, ${event.payload}, ${event.nextAttemptAt})`
}

export function listEvents(db: Db, limit: number): Promise<ProviderEvent[]> {
  return db<ProviderEvent[]>`
    select ${columns(db)} from embedded_payment_events order by created_at desc, id desc limit ${limit}`
}

/** Leases due events until `until`. A later claim receives the events of a process that died. */
export function claimEvents(db: Db, now: Date, until: Date, limit: number): Promise<ProviderEvent[]> {
  return db<ProviderEvent[]>`
    update embedded_payment_events set next_attempt_at = ${until}, attempts = attempts + 1
    where id in (
      select id from embedded_payment_events where next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit} for update skip locked
    ) returning ${columns(db)}`
}

export async function settleEvent(
  db: Db,
  id: string,
  outcome: { answer: string; deliveredAt: Date | null; nextAttemptAt: Date | null },
): Promise<void> {
  await db`
    update embedded_payment_events set last_answer = ${outcome.answer},
      delivered_at = coalesce(${outcome.deliveredAt}::timestamptz, delivered_at),
      next_attempt_at = ${outcome.nextAttemptAt}
    where id = ${id}`
}

export async function repeatEvent(db: Db, id: string, now: Date): Promise<void> {
  await db`update embedded_payment_events set next_attempt_at = ${now}, attempts = 0 where id = ${id}`
}

function columns(db: Db) {
  return db`
  id, type, object_id, payload, attempts, delivered_at, next_attempt_at, last_answer, created_at`
}
