import type { ProviderSubscription } from '../../../domain/payments/provider.ts'
import type { Db } from '../../postgres/client.ts'

export async function findSubscription(db: Db, id: string): Promise<ProviderSubscription | undefined> {
  const [row] = await db<ProviderSubscription[]>`select ${columns(db)} from embedded_subscriptions where id = ${id}`
  return row
}

export async function lockSubscription(tx: Db, id: string): Promise<ProviderSubscription | undefined> {
  const [row] = await tx<ProviderSubscription[]>`
    select ${columns(tx)} from embedded_subscriptions where id = ${id} for update`
  return row
}

export function listSubscriptions(db: Db, customerId: string): Promise<ProviderSubscription[]> {
  return db<ProviderSubscription[]>`
    select ${columns(db)} from embedded_subscriptions where customer_id = ${customerId}
    order by created_at desc, id`
}

export async function listDueSubscriptions(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from embedded_subscriptions where next_charge_at <= ${now} order by next_charge_at limit ${limit}`
  return rows.map(({ id }) => id)
}

export async function insertSubscription(db: Db, subscription: ProviderSubscription): Promise<void> {
  await db`
    insert into embedded_subscriptions (
      id, customer_id, card_id, price_id, status, anchor, period_start, period_end, next_charge_at, cancel_at, refusals,
      metadata
    ) values (
      ${subscription.id}, ${subscription.customerId}, ${subscription.cardId}, ${subscription.priceId},
      ${subscription.status}, ${subscription.anchor}, ${subscription.periodStart}, ${subscription.periodEnd},
      ${subscription.nextChargeAt}, ${subscription.cancelAt}, ${subscription.refusals},
      ${JSON.stringify(subscription.metadata)}::text::jsonb
    )`
}

export async function updateSubscription(db: Db, subscription: ProviderSubscription): Promise<void> {
  await db`
    update embedded_subscriptions set card_id = ${subscription.cardId}, price_id = ${subscription.priceId},
      status = ${subscription.status}, period_start = ${subscription.periodStart},
      period_end = ${subscription.periodEnd}, next_charge_at = ${subscription.nextChargeAt},
      cancel_at = ${subscription.cancelAt}, refusals = ${subscription.refusals},
      metadata = ${JSON.stringify(subscription.metadata)}::text::jsonb
    where id = ${subscription.id}`
}

function columns(db: Db) {
  return db`
  id, customer_id, card_id, price_id, status, anchor, period_start, period_end, next_charge_at, cancel_at, refusals,
  metadata`
}
