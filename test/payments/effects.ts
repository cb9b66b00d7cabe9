import { randomUUID } from 'node:crypto'
import { ProviderFault } from '../../providers/fault.ts'

/** What an effect at a payment party is given: a key of its own unless one is named. */
export const effect = (idempotencyKey: string = randomUUID()) => ({
  idempotencyKey,
  signal: AbortSignal.timeout(20_000),
})

export const read = () => ({ signal: AbortSignal.timeout(20_000) })

/** The kind of the fault that it ends with. */
export const kindOf = (doing: Promise<unknown>): Promise<unknown> =>
  doing.then(
    (value) => ({ fulfilled: value }),
    (error: unknown) => (error instanceof ProviderFault ? error.kind : error),
  )
