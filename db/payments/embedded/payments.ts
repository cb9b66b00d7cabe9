import type { ProviderPayment } from '../../../domain/payments/provider.ts'
import type { Db } from '../../postgres/client.ts'

export async function findPayment(db: Db, id: string): Promise<ProviderPayment | undefined> {
  const [row] = await db<ProviderPayment[]>`select ${columns(db)} from embedded_payments where id = ${id}`
  return row
}

export async function findPaymentByKey(db: Db, idempotencyKey: string): Promise<ProviderPayment | undefined> {
  const [row] = await db<ProviderPayment[]>`
    select ${columns(db)} from embedded_payments where idempotency_key = ${idempotencyKey}`
  return row
}

export async function findPaymentByIntent(db: Db, intentId: string): Promise<ProviderPayment | undefined> {
  const [row] = await db<ProviderPayment[]>`
    select ${columns(db)} from embedded_payments where metadata ->> 'intentId' = ${intentId}
    order by (status = 'succeeded') desc, created_at desc limit 1`
  return row
}

export async function insertPayment(db: Db, payment: ProviderPayment): Promise<boolean> {
  const rows = await db`
    insert into embedded_payments (
      id, customer_id, card_id, amount_cents, currency, status, code, metadata, request_hash, idempotency_key
    ) values (
      ${payment.id}, ${payment.customerId}, ${payment.cardId}, ${payment.amountCents}, ${payment.currency},
      ${payment.status}, ${payment.code}, ${JSON.stringify(payment.metadata)}::text::jsonb, ${payment.requestHash},
      ${payment.idempotencyKey}
    ) on conflict (idempotency_key) do nothing returning 1`
  return rows.length === 1
}

/** Updates a payment. A succeeded payment does not change. */
export async function updatePayment(db: Db, payment: ProviderPayment): Promise<void> {
  await db`
    update embedded_payments set customer_id = ${payment.customerId}, card_id = ${payment.cardId},
      status = ${payment.status}, code = ${payment.code}
    where id = ${payment.id} and status <> 'succeeded'`
}

function columns(db: Db) {
  return db`
  id, customer_id, card_id, amount_cents, currency, status, code, metadata, request_hash, idempotency_key`
}
