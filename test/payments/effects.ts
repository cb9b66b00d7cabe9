import { randomUUID } from 'node:crypto'
import { ProviderError } from '../../providers/provider-error.ts'
import type { CreateCheckout } from '../../providers/payment/index.ts'

/** Arguments of every effect at a payment provider, by default with a new key. */
export const effect = (idempotencyKey: string = randomUUID()) => ({
  idempotencyKey,
  signal: AbortSignal.timeout(20_000),
})

export const read = () => ({ signal: AbortSignal.timeout(20_000) })

/** A checkout for five dollars of credits, with the card fee. */
export const creditsCheckout = (customerId: string, more: Partial<CreateCheckout> = {}): CreateCheckout => ({
  mode: 'payment',
  customerId,
  lines: [
    { name: 'credits', amountCents: 500 },
    { name: 'processing fee', amountCents: 46 },
  ],
  saveCard: true,
  successUrl: 'https://shop.example/billing',
  metadata: { intentId: randomUUID(), purpose: 'credits_topup' },
  ...more,
})

/** Returns the kind of the provider error with which the promise rejects. */
export const settleToKind = (doing: Promise<unknown>): Promise<unknown> =>
  doing.then(
    (value) => ({ fulfilled: value }),
    (error: unknown) => (error instanceof ProviderError ? error.kind : error),
  )
