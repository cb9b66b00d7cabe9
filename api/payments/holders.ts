import type { Card } from '../../domain/payments/payments.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { holdersOf } from '../../domain/payments/subscriptions.ts'
import type { Checkout } from '../../providers/payment/index.ts'

/** The address that paid; undefined when it is none. */
export const emailOf = ({ email }: Pick<Checkout, 'email'>): string | undefined =>
  email === null ? undefined : normalizeEmail(email)

/** Who is behind the subscription of a checkout, beside its owner. */
export const checkoutHolders = (checkout: Checkout, card: Card | null | undefined): string[] =>
  holdersOf({
    buyerId: checkout.metadata['buyerId'],
    email: emailOf(checkout),
    fingerprint: card?.fingerprint,
  })
