import { bookFailure, bookPayment, insertUnmatchedPayment, type Booking } from '../../../db/payments/book.ts'
import type { Tx } from '../../../db/postgres/client.ts'
import { saveDefaultCard } from '../../../db/payments/customers.ts'
import {
  addHolders,
  isSubscriber,
  linkSubscription,
  saveSubscription,
  type Buyer,
} from '../../../db/payments/subscriptions.ts'
import type { Checkout, Payment, PaymentEvent } from '../../../providers/payment/index.ts'
import type { WorkDeps } from '../../deps.ts'
import { listHolders } from '../../../domain/payments/subscriptions.ts'
import { startMail } from '../../mail/delivery.ts'
import { listCheckoutHolders, readPayerEmail, startMirror } from '../holders.ts'
import type { ProviderState } from './provider-state.ts'
import { enqueueWelcome } from '../../accounts/people.ts'

/** `alert`: reason of an alert to the operator. `afterCommit` runs after the transaction has committed. */
export type EventResult = { alert?: string; afterCommit?: () => void }

const alerts: Partial<Record<Booking, string>> = {
  mismatch: 'amount_mismatch',
  repeated: 'paid_twice',
  unknown: 'unknown_intent',
}

type PaidCheckout = { paymentId: string; amountCents: number; currency: string; metadata: Checkout['metadata'] }

/** Applies an event in the transaction that stores it. The account and the credits are read from our own rows. */
export async function applyEvent(
  tx: Tx,
  deps: WorkDeps,
  event: PaymentEvent,
  providerState: ProviderState,
): Promise<EventResult> {
  const result = await applyByType(tx, deps, event, providerState)
  if (providerState.card !== undefined) await saveDefaultCard(tx, providerState.card)
  return result
}

async function applyByType(
  tx: Tx,
  deps: WorkDeps,
  event: PaymentEvent,
  providerState: ProviderState,
): Promise<EventResult> {
  switch (event.type) {
    case 'payment_succeeded':
      return event.payment === undefined ? { alert: 'unknown_intent' } : bookPaidCheckout(tx, event.payment, event)
    case 'payment_failed':
      return event.payment === undefined ? {} : bookDecline(tx, deps, event.payment)
    case 'checkout_completed':
      return applyCheckout(tx, deps, providerState)
    case 'subscription_changed':
    case 'invoice_paid':
      if (providerState.subscription !== undefined)
        await applySubscription(tx, providerState.subscription, providerState)
      return {}
    case 'refund_or_dispute':
      return { alert: 'refund_or_dispute' }
    default:
      return {}
  }
}

async function bookPaidCheckout(tx: Tx, paid: PaidCheckout, event?: PaymentEvent): Promise<EventResult> {
  const { paymentId, amountCents, currency, metadata } = paid
  const { intentId } = metadata
  const booking = await bookPayment(tx, { paymentId, intentId, amountCents, currency })
  if (booking === 'unknown' && intentId === undefined && event?.customerId !== undefined) {
    // A payment for a subscription period, for which the provider also sends a subscription event, earlier or later.
    const { eventId, customerId } = event
    if (!(await isSubscriber(tx, customerId)))
      await insertUnmatchedPayment(tx, { eventId, paymentRef: paymentId, customerId })
    return {}
  }
  const alert = alerts[booking]
  return alert === undefined ? {} : { alert }
}

async function bookDecline(
  tx: Tx,
  deps: WorkDeps,
  { paymentId, metadata, declineCode: code }: Payment,
): Promise<EventResult> {
  const { intentId } = metadata
  const { billingUrl } = deps.config
  const mailId = await bookFailure(tx, { paymentId, intentId, code }, { billingUrl })
  return { afterCommit: () => startMail(deps, mailId) }
}

async function applyCheckout(tx: Tx, deps: WorkDeps, providerState: ProviderState): Promise<EventResult> {
  const { checkout } = providerState
  if (checkout === undefined) return { alert: 'unknown_intent' }
  if (checkout.mode === 'subscription') return linkPurchase(tx, deps, checkout, providerState)
  const { paid, paymentId, amountCents, currency, metadata } = checkout
  if (checkout.mode === 'setup' || !paid || paymentId === null) return {}
  return bookPaidCheckout(tx, { paymentId, amountCents: amountCents ?? 0, currency: currency ?? '', metadata })
}

async function linkPurchase(
  tx: Tx,
  deps: WorkDeps,
  checkout: Checkout,
  { subscription, card }: ProviderState,
): Promise<EventResult> {
  const buyer = findBuyer(deps, checkout)
  if (buyer === undefined || subscription === undefined || checkout.customerId === null)
    return { alert: 'unlinked_purchase' }
  await saveSubscription(tx, subscription)
  const { subscriptionId } = subscription
  await addHolders(tx, subscriptionId, listCheckoutHolders(checkout, card?.card))
  const { newAccountId } = await linkSubscription(tx, subscriptionId, buyer)
  if (!('email' in buyer)) return {}
  const mailId = newAccountId === undefined ? undefined : await enqueueWelcome(tx, newAccountId, buyer.email)
  return {
    afterCommit: () => {
      startMail(deps, mailId)
      startMirror(deps, subscriptionId)
    },
  }
}

/** Returns the buyer by account or email address; undefined if the checkout contains neither. */
function findBuyer(deps: WorkDeps, checkout: Checkout): Buyer | undefined {
  const { accountId } = checkout.metadata
  if (accountId !== undefined) return { accountId }
  const email = readPayerEmail(checkout)
  return email === undefined ? undefined : { email, startCredits: deps.config.START_CREDITS }
}

async function applySubscription(
  tx: Tx,
  subscription: NonNullable<ProviderState['subscription']>,
  { card }: ProviderState,
): Promise<void> {
  const { subscriptionId, accountId, buyerId } = subscription
  await saveSubscription(tx, subscription)
  await addHolders(tx, subscriptionId, listHolders({ buyerId, fingerprint: card?.card?.fingerprint }))
  if (accountId !== undefined) await linkSubscription(tx, subscriptionId, { accountId })
}
