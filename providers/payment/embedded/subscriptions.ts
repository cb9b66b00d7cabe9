import type { ProviderSubscription } from '../../../domain/payments/provider.ts'
import type { Metadata, Subscription } from '../index.ts'
import { selectCard, decideOffSession } from './cards.ts'
import { insertEvent } from './events/events.ts'
import { currency, interval, type EmbeddedProvider, type Price } from './provider.ts'
import { addDays, addMonth } from './periods.ts'
import { newId } from './secrets.ts'
import type { ProviderRows } from './store.ts'

export function findPrice({ prices }: Pick<EmbeddedProvider, 'prices'>, priceId: string | null): Price | undefined {
  return prices.find(({ id }) => id === priceId)
}

export function toSubscription(provider: EmbeddedProvider, subscription: ProviderSubscription): Subscription {
  return {
    subscriptionId: subscription.id,
    status: subscription.status,
    priceId: subscription.priceId,
    amountCents: findPrice(provider, subscription.priceId)?.amountCents ?? 0,
    currency,
    interval,
    periodStart: subscription.periodStart,
    periodEnd: subscription.periodEnd,
    cancelAt: subscription.cancelAt,
    customerId: subscription.customerId,
    metadata: subscription.metadata,
  }
}

export function insertChangedEvent(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  { id, customerId }: ProviderSubscription,
): Promise<void> {
  return insertEvent(provider, rows, 'subscription_changed', id, { subscriptionId: id, customerId })
}

/** Creates a subscription whose first period starts now. The period is a trial, or the caller charges for it. */
export async function createSubscription(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  order: { customerId: string; cardId: string; priceId: string; trialDays: number; metadata: Metadata },
): Promise<ProviderSubscription> {
  const { trialDays, ...details } = order
  const now = provider.now()
  const periodEnd = trialDays > 0 ? addDays(now, trialDays) : addMonth(now, now)
  const subscription: ProviderSubscription = {
    ...details,
    id: newId('sub'),
    status: trialDays > 0 ? 'trialing' : 'active',
    anchor: trialDays > 0 ? periodEnd : now,
    periodStart: now,
    periodEnd,
    nextChargeAt: periodEnd,
    cancelAt: null,
    refusals: 0,
  }
  await rows.insertSubscription(subscription)
  await insertChangedEvent(provider, rows, subscription)
  if (trialDays === 0) await insertPaidEvent(provider, rows, subscription)
  return subscription
}

const maxDeclines = 4

const batchSize = 100

/** Renews or ends every subscription whose period has ended. Safe to run concurrently. */
export async function renewSubscriptions(provider: EmbeddedProvider): Promise<void> {
  for (;;) {
    const due = await provider.store.listDueSubscriptions(provider.now(), batchSize)
    for (const id of due) await provider.store.begin((rows) => renewOrEnd(provider, rows, id))
    if (due.length === 0) return
    provider.wake()
  }
}

function insertPaidEvent(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  { id, customerId }: ProviderSubscription,
): Promise<void> {
  return insertEvent(provider, rows, 'invoice_paid', id, { subscriptionId: id, customerId })
}

async function renewOrEnd(provider: EmbeddedProvider, rows: ProviderRows, id: string): Promise<void> {
  const now = provider.now()
  const subscription = await rows.lockSubscription(id)
  if (subscription === undefined || subscription.nextChargeAt === null || subscription.nextChargeAt > now) return
  const isCanceled = subscription.cancelAt !== null && subscription.cancelAt <= now
  const isPaid = !isCanceled && (await chargePeriod(provider, rows, subscription))
  const next = isCanceled
    ? endSubscription(subscription)
    : isPaid
      ? startNextPeriod(subscription)
      : recordDecline(subscription, now)
  await rows.updateSubscription(next)
  if (isPaid) await insertPaidEvent(provider, rows, next)
  await insertChangedEvent(provider, rows, next)
}

async function chargePeriod(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  subscription: ProviderSubscription,
): Promise<boolean> {
  const { customerId, cardId, priceId, id, periodEnd, refusals } = subscription
  const customer = await rows.findCustomer(customerId)
  const cards = await rows.listCards(customerId)
  const card = cards.find((attached) => attached.id === cardId) ?? selectCard(cards, customer?.defaultCardId ?? null)
  const price = findPrice(provider, priceId)
  if (card === undefined || price === undefined || decideOffSession(card.behaviour) !== 'succeeds') return false
  const key = `period ${id} ${periodEnd.toISOString()} ${refusals}`
  const { amountCents } = price
  const payment = { customerId, cardId: card.id, amountCents, currency, status: 'succeeded', code: null } as const
  await rows.insertPayment({ ...payment, id: newId('pay'), metadata: {}, requestHash: key, idempotencyKey: key })
  return true
}

function endSubscription(subscription: ProviderSubscription): ProviderSubscription {
  return {
    ...subscription,
    status: 'canceled',
    nextChargeAt: null,
  }
}

function startNextPeriod(subscription: ProviderSubscription): ProviderSubscription {
  const { periodEnd: periodStart, anchor } = subscription
  const periodEnd = addMonth(periodStart, anchor)
  return { ...subscription, status: 'active', periodStart, periodEnd, nextChargeAt: periodEnd, refusals: 0 }
}

function recordDecline(subscription: ProviderSubscription, now: Date): ProviderSubscription {
  const refusals = subscription.refusals + 1
  return refusals >= maxDeclines
    ? { ...endSubscription(subscription), refusals }
    : { ...subscription, status: 'past_due', refusals, nextChargeAt: addDays(now, 1) }
}
