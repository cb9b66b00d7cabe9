import type { ProviderPayment } from '../../../domain/payments/provider.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import type { EffectOptions, Metadata, PaymentStatus } from '../index.ts'
import { decideOffSession } from './cards.ts'
import { insertEvent, toPayment } from './events/events.ts'
import type { EmbeddedProvider } from './provider.ts'
import { hashJson, newId } from './secrets.ts'
import type { ProviderRows } from './store.ts'

export type Charge = { customerId: string; cardId: string; amountCents: number; currency: string; metadata: Metadata }

/** Charges a saved card without the cardholder. Throws `declined` if the card is declined. */
export async function chargeOffSession(
  provider: EmbeddedProvider,
  charge: Charge,
  { idempotencyKey }: EffectOptions,
): Promise<{ paymentId: string; status: PaymentStatus }> {
  if (!Number.isSafeInteger(charge.amountCents) || charge.amountCents < 1)
    throw new ProviderError('invalid', 'the amount must be a positive number of cents')
  const payment = await provider.store.begin((rows) =>
    ensurePayment(provider, rows, charge, `charge ${idempotencyKey}`),
  )
  provider.wake()
  if (payment.status === 'failed')
    throw new ProviderError('declined', 'the card was declined', { code: payment.code ?? 'card_declined' })
  return { paymentId: payment.id, status: payment.status }
}

/** Creates a payment once per key. A repeated call returns the first payment, regardless of its outcome. */
async function ensurePayment(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  charge: Charge,
  key: string,
): Promise<ProviderPayment> {
  const requestHash = hashJson(charge)
  const existing = await rows.findPaymentByKey(key)
  if (existing !== undefined) {
    if (existing.requestHash !== requestHash) throw keyReusedError()
    return existing
  }
  const card = (await rows.listCards(charge.customerId)).find(({ id }) => id === charge.cardId)
  if (card === undefined) throw new ProviderError('not_found', 'the card does not belong to the customer')
  const outcome = decideOffSession(card.behaviour)
  const status =
    outcome === 'succeeds' ? 'succeeded' : outcome === 'asks' ? 'authentication_required' : ('failed' as const)
  const code = typeof outcome === 'object' ? outcome.code : null
  const payment = { ...charge, id: newId('pay'), status, code, requestHash, idempotencyKey: key } as const
  // A concurrent call has inserted the key first, so its payment is returned.
  if (!(await rows.insertPayment(payment))) return ensurePayment(provider, rows, charge, key)
  const type = status === 'succeeded' ? 'payment_succeeded' : 'payment_failed'
  const { customerId } = charge
  await insertEvent(provider, rows, type, payment.id, {
    paymentId: payment.id,
    customerId,
    payment: toPayment(payment),
  })
  return payment
}

function keyReusedError(): ProviderError {
  return new ProviderError('invalid', 'the idempotency key was used for another request')
}
