import type { Stripe } from 'stripe'
import { ProviderError } from '../../errors/provider-error.ts'
import type { Card } from '../../../domain/payments/payments.ts'
import type { Checkout, CheckoutMode, Payment, PaymentStatus, Subscription } from '../index.ts'

export function toCard({ id, card }: Stripe.PaymentMethod): Card | null {
  return card === undefined || card === null
    ? null
    : {
        id,
        brand: card.brand,
        last4: card.last4,
        expMonth: card.exp_month,
        expYear: card.exp_year,
        funding: card.funding,
        ...(card.fingerprint ? { fingerprint: card.fingerprint } : {}),
      }
}

export function toPayment(intent: Stripe.PaymentIntent): Payment {
  const declineCode = intent.last_payment_error?.decline_code ?? intent.last_payment_error?.code
  return {
    paymentId: intent.id,
    status: toPaymentStatus(intent),
    amountCents: intent.amount,
    currency: intent.currency,
    ...(declineCode !== undefined && { declineCode }),
    metadata: intent.metadata,
  }
}

const modes: Record<string, CheckoutMode> = { payment: 'payment', subscription: 'subscription', setup: 'setup' }

/** Members of a session to expand, which `findSavedCard` reads. */
export const sessionExpansion = ['payment_intent', 'setup_intent', 'subscription']

export function toCheckout(session: Stripe.Checkout.Session): Checkout {
  const mode = modes[session.mode]
  if (mode === undefined) throw new ProviderError('invalid', 'Stripe: the checkout has an unknown mode')
  return {
    sessionId: session.id,
    mode,
    paid: session.status === 'complete' && session.payment_status !== 'unpaid',
    paymentId: readId(session.payment_intent),
    amountCents: mode === 'setup' ? null : session.amount_total,
    currency: mode === 'setup' ? null : session.currency,
    subscriptionId: readId(session.subscription),
    customerId: readId(session.customer),
    cardId: findSavedCard(session),
    email: session.customer_details?.email ?? session.customer_email,
    metadata: session.metadata ?? {},
  }
}

/** Converts a subscription. Subscriptions of this service have one item. */
export function toSubscription(subscription: Stripe.Subscription): Subscription {
  const [item] = subscription.items.data
  const customerId = readId(subscription.customer)
  if (item === undefined || customerId === null)
    throw new ProviderError('invalid', 'Stripe: the subscription has no item or no customer')
  const cancelAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null)
  return {
    subscriptionId: subscription.id,
    status: subscription.status,
    priceId: item.price.id,
    amountCents: item.price.unit_amount ?? 0,
    currency: item.price.currency,
    interval: item.price.recurring?.interval ?? '',
    periodStart: toDate(item.current_period_start),
    periodEnd: toDate(item.current_period_end),
    cancelAt: cancelAt === null ? null : toDate(cancelAt),
    customerId,
    metadata: subscription.metadata,
  }
}

export function readSubscriptionId({ parent }: Stripe.Invoice): string | undefined {
  return readId(parent?.subscription_details?.subscription) ?? undefined
}

export function readCustomerId(object: { customer?: unknown }): string | undefined {
  return typeof object.customer === 'string' ? object.customer : undefined
}

function toPaymentStatus({ status, last_payment_error }: Stripe.PaymentIntent): PaymentStatus {
  switch (status) {
    case 'succeeded':
      return 'succeeded'
    case 'canceled':
      return 'failed'
    case 'requires_action':
    case 'requires_confirmation':
      return 'authentication_required'
    case 'requires_payment_method':
      return last_payment_error === null ? 'pending' : 'failed'
    default:
      return 'pending'
  }
}

/** Returns the id of an object in either form: an id or the expanded object. */
function readId(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}

/** Finds the saved card; null unless the request expanded the objects of the session. */
function findSavedCard({ payment_intent, setup_intent, subscription }: Stripe.Checkout.Session): string | null {
  const payment = asExpanded(payment_intent)
  const savedMethod = (payment?.setup_future_usage ?? null) === null ? null : payment?.payment_method
  return (
    readId(savedMethod) ??
    readId(asExpanded(setup_intent)?.payment_method) ??
    readId(asExpanded(subscription)?.default_payment_method)
  )
}

function asExpanded<T extends { id: string }>(object: string | T | null | undefined): T | undefined {
  return typeof object === 'object' && object !== null ? object : undefined
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1000)
}
