import type { Card } from '../../domain/payments/payments.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { listHolders } from '../../domain/payments/subscriptions.ts'
import type { Checkout } from '../../providers/payment/index.ts'
import type { WorkDeps } from '../deps.ts'
import { logFailure } from '../runs/engine.ts'
import { mirrorOwner } from '../../workflows/payments/messages.ts'

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

/** Starts the workflow that updates the owner of a subscription at the payment provider. A failed update is repeated later. */
export function startMirror(deps: WorkDeps, subscriptionId: string): void {
  const message = 'failed to update the owner of a subscription at the payment provider; it is updated later'
  logFailure(deps, deps.engine.start(mirrorOwner, { subscriptionId }), { subscriptionId }, message)
}
