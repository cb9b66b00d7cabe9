import { randomUUID } from 'node:crypto'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { CreateCheckout } from '../../providers/payment/index.ts'

/** Returns the options of a write to a payment provider, by default with a new idempotency key. */
export const effect = (idempotencyKey: string = randomUUID()) => ({
  idempotencyKey,
  signal: AbortSignal.timeout(20_000),
})

export const read = () => ({ signal: AbortSignal.timeout(20_000) })

/** Returns a checkout request for five dollars of credits plus the card fee. */
export const creditsCheckout = (customerId: string, overrides: Partial<CreateCheckout> = {}): CreateCheckout => ({
  mode: 'payment',
  customerId,
  lines: [
    { name: 'credits', amountCents: 500 },
    { name: 'processing fee', amountCents: 46 },
  ],
  saveCard: true,
  successUrl: 'https://shop.example/billing',
  metadata: { intentId: randomUUID(), purpose: 'credits_topup' },
  ...overrides,
})

/** Returns the kind of the provider error with which the promise rejects. */
export const settleToKind = (operation: Promise<unknown>): Promise<unknown> =>
  operation.then(
    (value) => ({ fulfilled: value }),
    (error: unknown) => (error instanceof ProviderError ? error.kind : error),
  )
