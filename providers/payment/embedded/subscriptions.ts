import type { ProviderSubscription } from '../../../domain/payments/provider.ts'
import type { Metadata, Subscription } from '../index.ts'
import { cardToCharge, offSession } from './cards.ts'
import { raise } from './events/events.ts'
import { currency, interval } from './party.ts'
import type { Party, Price } from './party.ts'
import { daysAfter, monthAfter } from './periods.ts'
import { newId } from './secrets.ts'
import type { ProviderRows } from './store.ts'

export const priceOf = ({ prices }: Pick<Party, 'prices'>, priceId: string | null): Price | undefined =>
  prices.find(({ id }) => id === priceId)

export const toSubscription = (party: Party, subscription: ProviderSubscription): Subscription => ({
  subscriptionId: subscription.id,
  status: subscription.status,
  priceId: subscription.priceId,
  amountCents: priceOf(party, subscription.priceId)?.amountCents ?? 0,
  currency,
  interval,
  periodStart: subscription.periodStart,
  periodEnd: subscription.periodEnd,
  cancelAt: subscription.cancelAt,
  customerId: subscription.customerId,
  metadata: subscription.metadata,
})

export const raiseChanged = (
  party: Party,
  rows: ProviderRows,
  { id, customerId }: ProviderSubscription,
): Promise<void> => raise(party, rows, 'subscription_changed', id, { subscriptionId: id, customerId })

const raisePaid = (party: Party, rows: ProviderRows, { id, customerId }: ProviderSubscription): Promise<void> =>
  raise(party, rows, 'invoice_paid', id, { subscriptionId: id, customerId })

/** The first period begins now and is paid by whoever calls, or is a trial. */
export const beginSubscription = async (
  party: Party,
  rows: ProviderRows,
  bought: { customerId: string; cardId: string; priceId: string; trialDays: number; metadata: Metadata },
): Promise<ProviderSubscription> => {
  const { trialDays, ...facts } = bought
  const now = party.now()
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
  await raiseChanged(party, rows, subscription)
  if (trialDays === 0) await raisePaid(party, rows, subscription)
  return subscription
}

const maxRefusals = 4

const ended = (subscription: ProviderSubscription): ProviderSubscription => ({
  ...subscription,
  status: 'canceled',
  nextChargeAt: null,
})

const refused = (subscription: ProviderSubscription, now: Date): ProviderSubscription => {
  const refusals = subscription.refusals + 1
  return refusals >= maxRefusals
    ? { ...ended(subscription), refusals }
    : { ...subscription, status: 'past_due', refusals, nextChargeAt: daysAfter(now, 1) }
}

const renewed = (subscription: ProviderSubscription): ProviderSubscription => {
  const { periodEnd: periodStart, anchor } = subscription
  const periodEnd = monthAfter(periodStart, anchor)
  return { ...subscription, status: 'active', periodStart, periodEnd, nextChargeAt: periodEnd, refusals: 0 }
}

const paysNow = async (party: Party, rows: ProviderRows, subscription: ProviderSubscription): Promise<boolean> => {
  const { customerId, cardId, priceId, id, periodEnd, refusals } = subscription
  const customer = await rows.findCustomer(customerId)
  const cards = await rows.listCards(customerId)
  const card = cards.find((known) => known.id === cardId) ?? cardToCharge(cards, customer?.defaultCardId ?? null)
  const price = priceOf(party, priceId)
  if (card === undefined || price === undefined || offSession(card.behaviour) !== 'succeeds') return false
  const key = `period ${id} ${periodEnd.toISOString()} ${refusals}`
  const { amountCents } = price
  const payment = { customerId, cardId: card.id, amountCents, currency, status: 'succeeded', code: null } as const
  await rows.insertPayment({ ...payment, id: newId('pay'), metadata: {}, requestHash: key, idempotencyKey: key })
  return true
}

const advance = async (party: Party, rows: ProviderRows, id: string): Promise<void> => {
  const now = party.now()
  const subscription = await rows.lockSubscription(id)
  if (subscription === undefined || subscription.nextChargeAt === null || subscription.nextChargeAt > now) return
  const isOver = subscription.cancelAt !== null && subscription.cancelAt <= now
  const isPaid = !isOver && (await paysNow(party, rows, subscription))
  const next = isOver ? ended(subscription) : isPaid ? renewed(subscription) : refused(subscription, now)
  await rows.updateSubscription(next)
  if (isPaid) await raisePaid(party, rows, next)
  await raiseChanged(party, rows, next)
}

const batch = 100

/** Takes every subscription whose period is over into the next one, or ends it. Safe to run anywhere at any time. */
export const renewSubscriptions = async (party: Party): Promise<void> => {
  for (;;) {
    const due = await party.store.listDueSubscriptions(party.now(), batch)
    for (const id of due) await party.store.begin((rows) => advance(party, rows, id))
    if (due.length === 0) return
    party.wake()
  }
}
