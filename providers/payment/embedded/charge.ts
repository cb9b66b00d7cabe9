import type { ProviderPayment } from '../../../domain/payments/provider.ts'
import { ProviderFault } from '../../fault.ts'
import type { EffectOptions, Metadata, PaymentStatus } from '../index.ts'
import { offSession } from './cards.ts'
import { raise, toPayment } from './events/events.ts'
import type { EmbeddedProvider } from './provider.ts'
import { hashJson, newId } from './secrets.ts'
import type { ProviderRows } from './store.ts'

export type Charge = { customerId: string; cardId: string; amountCents: number; currency: string; metadata: Metadata }

/** Takes money from a saved card without its holder. Throws `declined` when the card says no. */
export async function chargeOffSession(
  provider: EmbeddedProvider,
  charge: Charge,
  { idempotencyKey }: EffectOptions,
): Promise<{ paymentId: string; status: PaymentStatus }> {
  if (!Number.isSafeInteger(charge.amountCents) || charge.amountCents < 1)
    throw new ProviderFault('invalid', 'the amount must be a positive number of cents')
  const payment = await provider.store.begin((rows) => payOnce(provider, rows, charge, `charge ${idempotencyKey}`))
  provider.wake()
  if (payment.status === 'failed')
    throw new ProviderFault('declined', 'the card was declined', { code: payment.code ?? 'card_declined' })
  return { paymentId: payment.id, status: payment.status }
}

/** The payment of a key, made once: a repeat finds the first one, whatever came of it. */
async function payOnce(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  charge: Charge,
  key: string,
): Promise<ProviderPayment> {
  const requestHash = hashJson(charge)
  const known = await rows.findPaymentByKey(key)
  if (known !== undefined) {
    if (known.requestHash !== requestHash) throw reused()
    return known
  }
  const card = (await rows.listCards(charge.customerId)).find(({ id }) => id === charge.cardId)
  if (card === undefined) throw new ProviderFault('not_found', 'the customer has no such card')
  const outcome = offSession(card.behaviour)
  const status =
    outcome === 'succeeds' ? 'succeeded' : outcome === 'asks' ? 'authentication_required' : ('failed' as const)
  const code = typeof outcome === 'object' ? outcome.code : null
  const payment = { ...charge, id: newId('pay'), status, code, requestHash, idempotencyKey: key } as const
  // Another call with the key came first, and is waited for here.
  if (!(await rows.insertPayment(payment))) return payOnce(provider, rows, charge, key)
  const type = status === 'succeeded' ? 'payment_succeeded' : 'payment_failed'
  const { customerId } = charge
  await raise(provider, rows, type, payment.id, { paymentId: payment.id, customerId, payment: toPayment(payment) })
  return payment
}

function reused(): ProviderFault {
  return new ProviderFault('invalid', 'the idempotency key was used for something else')
}
