// What the embedded payment provider keeps.

type Metadata = Record<string, string>

/** What a test card does when it is asked; its number is kept nowhere. */
export type CardBehaviour =
  | 'succeeds'
  | 'declines'
  | 'has_no_funds'
  | 'is_expired'
  /** Asks its holder once, when it is saved or used on a page. */
  | 'asks_once'
  /** Asks its holder every time, so never goes through without. */
  | 'asks_always'
  /** Works on a page and declines without its holder. */
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
  behaviour: CardBehaviour
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/** A card on its way through a page: a saved one has its id. */
export type CardDraft = Omit<ProviderCard, 'id' | 'customerId'> & { id: string | null; email: string | null }

export type SessionRequest = {
  lines: { name: string; amountCents: number }[]
  priceId: string | null
  trialDays: number
  saveCard: boolean
  /** Of a portal: where its way back leads. */
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
  /** Why the card said no. */
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
