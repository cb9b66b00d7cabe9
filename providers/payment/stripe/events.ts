import type { Stripe } from 'stripe'
import { ProviderError } from '../../errors/provider-error.ts'
import type { PaymentEvent } from '../index.ts'
import { apiVersion } from './api-version.ts'
import { readCustomerId, readSubscriptionId, toCheckout, toPayment } from './objects.ts'

const toleranceSeconds = 5 * 60

type MappedEvent = Omit<PaymentEvent, 'eventId' | 'liveMode' | 'otherApiVersion'>

/** Checks of the required ids in events that affect payments or subscriptions. */
const hasRequiredIds: Partial<Record<PaymentEvent['type'], (event: MappedEvent) => unknown>> = {
  payment_succeeded: ({ payment }) => payment?.paymentId !== undefined && Number.isInteger(payment.amountCents),
  payment_failed: ({ payment }) => payment?.paymentId !== undefined,
  checkout_completed: ({ checkout }) => checkout?.sessionId !== undefined,
  subscription_changed: ({ subscriptionId }) => subscriptionId !== undefined,
  refund_or_dispute: ({ paymentId }) => paymentId !== undefined,
}

/** Verifies and maps an event. Also rejects signatures from the future, which Stripe's library accepts. */
export function verifyEvent(
  webhooks: Stripe['webhooks'],
  secret: string,
  header: string | undefined,
  body: Buffer,
): PaymentEvent {
  let event: Stripe.Event
  try {
    event = webhooks.constructEvent(body, header ?? '', secret, toleranceSeconds)
  } catch {
    throw new ProviderError('invalid', 'Stripe: the event has an invalid or expired signature, or is not JSON')
  }
  if (readTimestamp(header ?? '') > Date.now() / 1000 + toleranceSeconds)
    throw new ProviderError('invalid', 'Stripe: the event was signed in the future')
  const { id: eventId, livemode: liveMode, api_version: version } = event
  const otherApiVersion = version !== apiVersion && version !== null && { otherApiVersion: version }
  return { eventId, liveMode, ...otherApiVersion, ...readEvent(event) }
}

function readEvent(event: Stripe.Event): MappedEvent {
  try {
    const mapped = mapEvent(event)
    return hasRequiredIds[mapped.type]?.(mapped) === false ? { type: 'unreadable' } : mapped
  } catch {
    return { type: 'unreadable' }
  }
}

function readTimestamp(header: string): number {
  return Number(/(?:^|,)t=(\d{1,15})(?:,|$)/.exec(header)?.[1])
}

function mapEvent(event: Stripe.Event): MappedEvent {
  switch (event.type) {
    case 'payment_intent.succeeded':
      return mapPayment('payment_succeeded', event.data.object)
    case 'payment_intent.payment_failed':
      return mapPayment('payment_failed', event.data.object)
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return mapCheckout(event.data.object)
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return withCustomer({ type: 'subscription_changed', subscriptionId: event.data.object.id }, event.data.object)
    case 'invoice.paid':
      return mapInvoice(event.data.object)
    case 'charge.refunded':
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      return mapCharge(event.data.object)
    default:
      return { type: 'unknown' }
  }
}

function mapPayment(type: 'payment_succeeded' | 'payment_failed', intent: Stripe.PaymentIntent): MappedEvent {
  return withCustomer({ type, paymentId: intent.id, payment: toPayment(intent) }, intent)
}

function withCustomer(mapped: MappedEvent, object: { customer?: unknown }): MappedEvent {
  const customerId = readCustomerId(object)
  return customerId === undefined ? mapped : { ...mapped, customerId }
}

function mapCheckout(session: Stripe.Checkout.Session): MappedEvent {
  const checkout = toCheckout(session)
  const { paymentId, subscriptionId } = checkout
  const ids = { ...(paymentId !== null && { paymentId }), ...(subscriptionId !== null && { subscriptionId }) }
  return withCustomer({ type: 'checkout_completed', checkout, ...ids }, session)
}

function mapInvoice(invoice: Stripe.Invoice): MappedEvent {
  const subscriptionId = readSubscriptionId(invoice)
  return withCustomer({ type: 'invoice_paid', ...(subscriptionId !== undefined && { subscriptionId }) }, invoice)
}

function mapCharge({ payment_intent }: { payment_intent?: unknown }): MappedEvent {
  return {
    type: 'refund_or_dispute',
    ...(typeof payment_intent === 'string' && { paymentId: payment_intent }),
  }
}
