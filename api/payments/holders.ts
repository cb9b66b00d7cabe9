import type { Card } from '../../domain/payments/payments.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { holdersOf } from '../../domain/payments/subscriptions.ts'
import type { Checkout } from '../../providers/payment/index.ts'

/** Returns the email address of the payer; undefined when it is invalid. */
export function emailOf({ email }: Pick<Checkout, 'email'>): string | undefined {
  return email === null ? undefined : normalizeEmail(email)
}

/** Returns the people behind a subscription's checkout, in addition to its owner. */
export function checkoutHolders(checkout: Checkout, card: Card | null | undefined): string[] {
  return holdersOf({
    buyerId: checkout.metadata['buyerId'],
    email: emailOf(checkout),
    fingerprint: card?.fingerprint,
  })
}
