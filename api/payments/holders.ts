import type { Card } from '../../domain/payments/payments.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { holdersOf } from '../../domain/payments/subscriptions.ts'
import type { Checkout } from '../../providers/payment/index.ts'

/** The address that paid; undefined when it is none. */
export function emailOf({ email }: Pick<Checkout, 'email'>): string | undefined {
  return email === null ? undefined : normalizeEmail(email)
}

/** Who is behind the subscription of a checkout, beside its owner. */
export function checkoutHolders(checkout: Checkout, card: Card | null | undefined): string[] {
  return holdersOf({
    buyerId: checkout.metadata['buyerId'],
    email: emailOf(checkout),
    fingerprint: card?.fingerprint,
  })
}
