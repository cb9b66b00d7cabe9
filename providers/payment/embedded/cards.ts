import type { CardBehavior, CardDraft, ProviderCard } from '../../../domain/payments/provider.ts'
import type { Card } from '../../../domain/payments/payments.ts'

export type TestCard = { number: string; brand: string; behaviour: CardBehavior; meaning: string }

/** The accepted card numbers. They behave like the common test cards of payment providers. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', behaviour: 'succeeds', meaning: 'Succeeds' },
  { number: '5555555555554444', brand: 'mastercard', behaviour: 'succeeds', meaning: 'Succeeds' },
  { number: '4000000000000002', brand: 'visa', behaviour: 'declines', meaning: 'Is declined' },
  { number: '4000000000009995', brand: 'visa', behaviour: 'has_no_funds', meaning: 'Has insufficient funds' },
  { number: '4000000000000069', brand: 'visa', behaviour: 'is_expired', meaning: 'Is declined as expired' },
  { number: '4000002500003155', brand: 'visa', behaviour: 'asks_once', meaning: 'Asks for confirmation (3-D Secure)' },
  {
    number: '4000002760003184',
    brand: 'visa',
    behaviour: 'asks_always',
    meaning: 'Asks for confirmation every time, so later charges need the customer',
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    behaviour: 'declines_later',
    meaning: 'Is accepted and saved, and declines later charges',
  },
]

export type Outcome = 'succeeds' | { code: string; message: string }

const declines = {
  declines: { code: 'card_declined', message: 'Your card was declined.' },
  has_no_funds: { code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  is_expired: { code: 'expired_card', message: 'Your card has expired.' },
} as const

export const confirmationDenied = { code: 'authentication_failed', message: 'Your bank did not confirm the payment.' }

/** Decides the result of a charge on a page, where the cardholder is present. */
export function decideOnPage(behaviour: CardBehavior): Outcome {
  return behaviour in declines ? declines[behaviour as keyof typeof declines] : 'succeeds'
}

/** Decides the result of a charge without the cardholder. */
export function decideOffSession(behaviour: CardBehavior): Outcome | 'asks' {
  if (behaviour === 'asks_always') return 'asks'
  return behaviour === 'declines_later' ? declines.declines : decideOnPage(behaviour)
}

/** True if the cardholder must confirm on the page. A saved `asks_once` card is already confirmed. */
export function needsConfirmation({ behaviour, id }: CardDraft): boolean {
  return behaviour === 'asks_always' || (behaviour === 'asks_once' && id === null)
}

export function toCard({ id, brand, last4, expMonth, expYear }: ProviderCard): Card {
  return {
    id,
    brand,
    last4,
    expMonth,
    expYear,
    funding: 'credit',
  }
}

/** Selects the card to charge: the preferred card if it is attached, otherwise the newest. `cards`: attached, newest first. */
export function selectCard(cards: ProviderCard[], preferred: string | null): ProviderCard | undefined {
  return cards.find(({ id }) => id === preferred) ?? cards[0]
}
