import type { ProviderSubscription } from '../../../domain/payments/provider.ts'
import type { Metadata, Subscription } from '../index.ts'
import { cardToCharge, decideOffSession } from './cards.ts'
import { raise } from './events/events.ts'
import { currency, interval, type EmbeddedProvider, type Price } from './provider.ts'
import { daysAfter, monthAfter } from './periods.ts'
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

export function raiseChanged(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  { id, customerId }: ProviderSubscription,
): Promise<void> {
  return raise(provider, rows, 'subscription_changed', id, { subscriptionId: id, customerId })
}

/** Creates a subscription. Its first period starts now and is a trial or is charged by the caller. */
export async function beginSubscription(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  bought: { customerId: string; cardId: string; priceId: string; trialDays: number; metadata: Metadata },
): Promise<ProviderSubscription> {
  const { trialDays, ...facts } = bought
  const now = provider.now()
  const periodEnd = trialDays > 0 ? daysAfter(now, trialDays) : monthAfter(now, now)
  const subscription: ProviderSubscription = {
    ...facts,
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
  await raiseChanged(provider, rows, subscription)
  if (trialDays === 0) await raisePaid(provider, rows, subscription)
  return subscription
}

const maxRefusals = 4

const batch = 100

/** Renews or ends every subscription whose period is over. Safe to run concurrently. */
export async function renewSubscriptions(provider: EmbeddedProvider): Promise<void> {
  for (;;) {
    const due = await provider.store.listDueSubscriptions(provider.now(), batch)
    for (const id of due) await provider.store.begin((rows) => advance(provider, rows, id))
    if (due.length === 0) return
    provider.wake()
  }
}

function raisePaid(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  { id, customerId }: ProviderSubscription,
): Promise<void> {
  return raise(provider, rows, 'invoice_paid', id, { subscriptionId: id, customerId })
}

async function advance(provider: EmbeddedProvider, rows: ProviderRows, id: string): Promise<void> {
  const now = provider.now()
  const subscription = await rows.lockSubscription(id)
  if (subscription === undefined || subscription.nextChargeAt === null || subscription.nextChargeAt > now) return
  const isOver = subscription.cancelAt !== null && subscription.cancelAt <= now
  const isPaid = !isOver && (await paysNow(provider, rows, subscription))
  const next = isOver ? ended(subscription) : isPaid ? renewed(subscription) : refused(subscription, now)
  await rows.updateSubscription(next)
  if (isPaid) await raisePaid(provider, rows, next)
  await raiseChanged(provider, rows, next)
}

async function paysNow(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  subscription: ProviderSubscription,
): Promise<boolean> {
  const { customerId, cardId, priceId, id, periodEnd, refusals } = subscription
  const customer = await rows.findCustomer(customerId)
  const cards = await rows.listCards(customerId)
  const card = cards.find((known) => known.id === cardId) ?? cardToCharge(cards, customer?.defaultCardId ?? null)
  const price = findPrice(provider, priceId)
  if (card === undefined || price === undefined || decideOffSession(card.behaviour) !== 'succeeds') return false
  const key = `period ${id} ${periodEnd.toISOString()} ${refusals}`
  const { amountCents } = price
  const payment = { customerId, cardId: card.id, amountCents, currency, status: 'succeeded', code: null } as const
  await rows.insertPayment({ ...payment, id: newId('pay'), metadata: {}, requestHash: key, idempotencyKey: key })
  return true
}

function ended(subscription: ProviderSubscription): ProviderSubscription {
  return {
    ...subscription,
    status: 'canceled',
    nextChargeAt: null,
  }
}

function renewed(subscription: ProviderSubscription): ProviderSubscription {
  const { periodEnd: periodStart, anchor } = subscription
  const periodEnd = monthAfter(periodStart, anchor)
  return { ...subscription, status: 'active', periodStart, periodEnd, nextChargeAt: periodEnd, refusals: 0 }
}

function refused(subscription: ProviderSubscription, now: Date): ProviderSubscription {
  const refusals = subscription.refusals + 1
  return refusals >= maxRefusals
    ? { ...ended(subscription), refusals }
    : { ...subscription, status: 'past_due', refusals, nextChargeAt: daysAfter(now, 1) }
}
