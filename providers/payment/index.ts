import type { Card } from '../../domain/payments/payments.ts'
import type { SubscriptionState } from '../../domain/payments/subscriptions.ts'

export type Metadata = Record<string, string>

/** Idempotency key and abort signal of an operation with side effects. */
export type EffectOptions = { idempotencyKey: string; signal: AbortSignal }
type ReadOptions = { signal: AbortSignal }

export type PaymentStatus = 'succeeded' | 'pending' | 'authentication_required' | 'failed'

export type Payment = {
  paymentId: string
  status: PaymentStatus
  amountCents: number
  /** ISO 4217 code in lower case. */
  currency: string
  /** The provider's decline code. */
  declineCode?: string | undefined
  metadata: Metadata
}

export type CheckoutMode = 'payment' | 'subscription' | 'setup'

export type CreateCheckout = {
  mode: CheckoutMode
  customerId?: string
  /** Lines of a payment. */
  lines?: { name: string; amountCents: number }[]
  /** The provider's price id of a subscription. */
  priceId?: string
  trialDays?: number
  /** Saves the card for later charges without the customer. */
  saveCard?: boolean
  /** URL after success. For a subscription, `session_id=<session id>` is added to its query. */
  successUrl: string
  cancelUrl?: string
  /** Metadata of the session, and of its payment or subscription. */
  metadata: Metadata
}

export type Checkout = {
  sessionId: string
  mode: CheckoutMode
  paid: boolean
  paymentId: string | null
  amountCents: number | null
  currency: string | null
  subscriptionId: string | null
  customerId: string | null
  /** Id of the saved card. An event may omit it; `getCheckout` returns it. */
  cardId: string | null
  email: string | null
  metadata: Metadata
}

export type Subscription = SubscriptionState & { metadata: Metadata }

/**
 * A verified event. A hosted checkout stays open after a declined card, so `payment_failed` may be followed by
 * `payment_succeeded` for the same payment. Consumers use only ids and the paid amount of an event. They read all other data
 * from the provider or the database.
 */
export type PaymentEvent = {
  eventId: string
  type:
    | 'payment_succeeded'
    | 'payment_failed'
    | 'checkout_completed'
    | 'subscription_changed'
    | 'invoice_paid'
    | 'refund_or_dispute'
    /** An event of a type above that lacks a required id, for example after a change of the provider's API. */
    | 'unreadable'
    | 'unknown'
  liveMode: boolean
  /** API version of the event, if it differs from the version of this port. */
  otherApiVersion?: string
  paymentId?: string
  checkout?: Checkout
  payment?: Payment
  subscriptionId?: string
  customerId?: string
}

/**
 * Stores cards and takes payments. Every rejection is a `ProviderError`: `not_found`, `declined` with the
 * provider's `code`, `invalid`, `timeout` (the outcome is unknown), `unavailable`, `rate_limited`, `unauthorized`.
 */
export type PaymentPort = {
  /** False if no real money moves. */
  readonly liveMode: boolean
  ensureCustomer(
    customer: { accountId: string; email: string | null },
    options: EffectOptions,
  ): Promise<{ customerId: string }>
  /** Reads the default card; null if there is none or the default is not a card. */
  getDefaultCard(customerId: string, options: ReadOptions): Promise<Card | null>
  setDefaultCard(customerId: string, cardId: string, options: EffectOptions): Promise<void>
  /** Removes all saved cards. */
  detachCards(customerId: string, options: EffectOptions): Promise<void>
  /** Charges the card without the customer. Rejects with `declined` if the card is declined. */
  chargeSavedCard(
    charge: { customerId: string; cardId: string; amountCents: number; currency: string; metadata: Metadata },
    options: EffectOptions,
  ): Promise<{ paymentId: string; status: PaymentStatus }>
  createCheckout(
    checkout: CreateCheckout,
    options: EffectOptions,
  ): Promise<{ sessionId: string; url: string; expiresAt: Date }>
  getCheckout(sessionId: string, options: ReadOptions): Promise<Checkout>
  /** Finds a payment by its id, or by the intent id in its metadata. */
  getPayment(payment: { paymentId: string } | { intentId: string }, options: ReadOptions): Promise<Payment>
  getSubscription(subscriptionId: string, options: ReadOptions): Promise<Subscription>
  /** Copies the owner to the metadata of the customer and the subscription. */
  setOwner(
    owner: { customerId: string; subscriptionId: string; accountId: string },
    options: EffectOptions,
  ): Promise<void>
  createPortal(
    portal: { customerId: string; returnUrl: string },
    options: EffectOptions,
  ): Promise<{ id: string; url: string }>
  /** Verifies an event. Throws a `ProviderError` `invalid` for a wrong signature or time. */
  verifyEvent(headers: Readonly<Record<string, string | undefined>>, rawBody: Buffer): Promise<PaymentEvent>
}
