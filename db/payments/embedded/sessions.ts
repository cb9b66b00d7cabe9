import type { ProviderSession } from '../../../domain/payments/provider.ts'
import type { Db } from '../../postgres/client.ts'

// A session here is a checkout or portal session of the embedded payment provider, not a session of the product.

export async function findSession(db: Db, id: string): Promise<ProviderSession | undefined> {
  const [row] = await db<ProviderSession[]>`select ${columns(db)} from embedded_sessions where id = ${id}`
  return row
}

export async function findSessionByKey(db: Db, idempotencyKey: string): Promise<ProviderSession | undefined> {
  const [row] = await db<ProviderSession[]>`
    select ${columns(db)} from embedded_sessions where idempotency_key = ${idempotencyKey}`
  return row
}

export async function lockSession(tx: Db, id: string): Promise<ProviderSession | undefined> {
  const [row] = await tx<ProviderSession[]>`
    select ${columns(tx)} from embedded_sessions where id = ${id} for update`
  return row
}

export async function insertSession(db: Db, session: ProviderSession): Promise<boolean> {
  const rows = await db`
    insert into embedded_sessions (id, kind, customer_id, request, request_hash, idempotency_key, email, expires_at)
    values (${session.id}, ${session.kind}, ${session.customerId}, ${JSON.stringify(session.request)}::text::jsonb,
      ${session.requestHash}, ${session.idempotencyKey}, ${session.email}, ${session.expiresAt})
    on conflict (idempotency_key) do nothing returning 1`
  return rows.length === 1
}

export async function updateSession(db: Db, session: ProviderSession): Promise<void> {
  await db`
    update embedded_sessions set customer_id = ${session.customerId}, completed_at = ${session.completedAt},
      forms = ${session.forms}, draft = ${session.draft && JSON.stringify(session.draft)}::text::jsonb,
      payment_id = ${session.paymentId}, subscription_id = ${session.subscriptionId}, card_id = ${session.cardId},
      email = ${session.email}
    where id = ${session.id}`
}

function columns(db: Db) {
  return db`
  id, kind, customer_id, request, request_hash, idempotency_key, completed_at, forms, draft, payment_id,
  subscription_id, card_id, email, expires_at`
}
