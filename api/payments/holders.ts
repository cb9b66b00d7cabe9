import type { Card } from '../../domain/payments/payments.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { listHolders } from '../../domain/payments/subscriptions.ts'
import type { Checkout } from '../../providers/payment/index.ts'

/** Returns the email address of the payer; undefined if it is missing or invalid. */
export function readPayerEmail({ email }: Pick<Checkout, 'email'>): string | undefined {
  return email === null ? undefined : normalizeEmail(email)
}

/** Returns the identities, other than the owner, that hold a subscription because of its checkout. */
export function listCheckoutHolders(checkout: Checkout, card: Card | null | undefined): string[] {
  return listHolders({
    buyerId: checkout.metadata['buyerId'],
    email: readPayerEmail(checkout),
    fingerprint: card?.fingerprint,
  })
}
