import type { Card } from '../../domain/payments/payments.ts'
import type { SubscriptionState } from '../../domain/payments/subscriptions.ts'

export type Metadata = Record<string, string>

/** Under which name an effect happens once, and how long an operation may take. */
export type EffectOptions = { idempotencyKey: string; signal: AbortSignal }
type ReadOptions = { signal: AbortSignal }

export type PaymentStatus = 'succeeded' | 'pending' | 'authentication_required' | 'failed'

export type Payment = {
  paymentId: string
  status: PaymentStatus
  amountCents: number
  /** ISO 4217, lower case. */
  currency: string
  /** The provider's word for why the card said no. */
  declineCode?: string | undefined
  metadata: Metadata
}

export type CheckoutMode = 'payment' | 'subscription' | 'setup'

export type CreateCheckout = {
  mode: CheckoutMode
  customerId?: string
  /** Of a payment. */
  lines?: { name: string; amountCents: number }[]
  /** Of a subscription: the provider's id of the price. */
  priceId?: string
  trialDays?: number
  /** Keep the card for later charges without the customer. */
  saveCard?: boolean
  /** The target of a subscription gets `session_id=<session id>` added to its query. */
  successUrl: string
  cancelUrl?: string
  /** Of the session, and of the payment or subscription that comes of it. */
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
  /** The card that it saved. An event may leave it out: `getCheckout` knows. */
  cardId: string | null
  email: string | null
  metadata: Metadata
}

export type Subscription = SubscriptionState & { metadata: Metadata }

/**
 * A verified event. A hosted checkout stays open after a refused card: `payment_failed` may be followed by
 * `payment_succeeded` of the same payment. Only ids and
 * what was paid are taken from it; what counts is read again or was stored by us.
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
    /** One of the types above without the ids that it needs, as after a change of the provider's API. */
    | 'unreadable'
    | 'unknown'
  liveMode: boolean
  /** Version of the provider's API that the event has, where it is not the one that this port was written for. */
  otherApiVersion?: string
  paymentId?: string
  checkout?: Checkout
  payment?: Payment
  subscriptionId?: string
  customerId?: string
}

/**
 * The provider that holds cards and takes money. Every rejection is a `ProviderFault`: `not_found`, `declined` with the
 * provider's `code`, `invalid`, `timeout` (the outcome is unknown), `unavailable`, `rate_limited`, `unauthorized`.
 */
export type PaymentPort = {
  /** False: nothing that happens here moves real money. */
  readonly liveMode: boolean
  ensureCustomer(
    customer: { accountId: string; email: string | null },
    options: EffectOptions,
  ): Promise<{ customerId: string }>
  /** Null when the default is no card, or there is none. */
  getDefaultCard(customerId: string, options: ReadOptions): Promise<Card | null>
  setDefaultCard(customerId: string, cardId: string, options: EffectOptions): Promise<void>
  /** All of them. */
  detachCards(customerId: string, options: EffectOptions): Promise<void>
  /** Off session. Rejects with `declined` when the card says no. */
  chargeSavedCard(
    charge: { customerId: string; cardId: string; amountCents: number; currency: string; metadata: Metadata },
    options: EffectOptions,
  ): Promise<{ paymentId: string; status: PaymentStatus }>
  createCheckout(
    checkout: CreateCheckout,
    options: EffectOptions,
  ): Promise<{ sessionId: string; url: string; expiresAt: Date }>
  getCheckout(sessionId: string, options: ReadOptions): Promise<Checkout>
  /** By its id, or by the intent id in its metadata. */
  getPayment(payment: { paymentId: string } | { intentId: string }, options: ReadOptions): Promise<Payment>
  getSubscription(subscriptionId: string, options: ReadOptions): Promise<Subscription>
  /** Mirrors the owner into the metadata of the customer and the subscription. */
  setOwner(
    owner: { customerId: string; subscriptionId: string; accountId: string },
    options: EffectOptions,
  ): Promise<void>
  createPortal(
    portal: { customerId: string; returnUrl: string },
    options: EffectOptions,
  ): Promise<{ id: string; url: string }>
  /** Throws `ProviderFault` of kind `invalid` when the signature or its time is wrong. */
  verifyEvent(headers: Readonly<Record<string, string | undefined>>, rawBody: Buffer): Promise<PaymentEvent>
}
