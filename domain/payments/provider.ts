// Records of the embedded payment provider.

type Metadata = Record<string, string>

/** Behavior of a test card. The card number is not stored. */
export type CardBehavior =
  | 'succeeds'
  | 'declines'
  | 'has_no_funds'
  | 'is_expired'
  /** Requires confirmation (3-D Secure) once: on a page, when the card is first saved or charged. */
  | 'asks_once'
  /** Requires confirmation for every charge, so a charge without the cardholder fails. */
  | 'asks_always'
  /** Succeeds on a page and declines every charge without the cardholder. */
  | 'declines_later'

export type ProviderCustomer = {
  id: string
  accountId: string | null
  email: string | null
  defaultCardId: string | null
  metadata: Metadata
}

export type ProviderCard = {
  id: string
  customerId: string
  behaviour: CardBehavior
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/** A card that is being entered or chosen on a page. `id` is set if the card is already saved. */
export type CardDraft = Omit<ProviderCard, 'id' | 'customerId'> & { id: string | null; email: string | null }

export type SessionRequest = {
  lines: { name: string; amountCents: number }[]
  priceId: string | null
  trialDays: number
  saveCard: boolean
  /** URL to open after success; for a portal, the URL of its return link. */
  successUrl: string
  cancelUrl: string | null
  metadata: Metadata
}

export type ProviderSession = {
  id: string
  kind: 'payment' | 'subscription' | 'setup' | 'portal'
  customerId: string | null
  request: SessionRequest
  requestHash: string
  idempotencyKey: string
  completedAt: Date | null
  forms: number
  draft: CardDraft | null
  paymentId: string | null
  subscriptionId: string | null
  cardId: string | null
  email: string | null
  expiresAt: Date
}

export type ProviderPayment = {
  id: string
  customerId: string | null
  cardId: string | null
  amountCents: number
  currency: string
  status: 'succeeded' | 'authentication_required' | 'failed'
  /** Decline code; null unless the payment failed or requires authentication. */
  code: string | null
  metadata: Metadata
  requestHash: string
  idempotencyKey: string
}

export type ProviderSubscription = {
  id: string
  customerId: string
  cardId: string | null
  priceId: string
  status: 'trialing' | 'active' | 'past_due' | 'canceled'
  anchor: Date
  periodStart: Date
  periodEnd: Date
  nextChargeAt: Date | null
  cancelAt: Date | null
  refusals: number
  metadata: Metadata
}

export type NewProviderEvent = { id: string; type: string; objectId: string; payload: string; nextAttemptAt: Date }
export type ProviderEvent = Omit<NewProviderEvent, 'nextAttemptAt'> & {
  attempts: number
  deliveredAt: Date | null
  nextAttemptAt: Date | null
  lastAnswer: string | null
  createdAt: Date
}
