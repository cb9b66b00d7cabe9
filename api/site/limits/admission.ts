import type { IncomingMessage } from 'node:http'
import { Fault, unavailable } from '../../../domain/site/faults.ts'
import { createBuckets } from './buckets.ts'

export type Admission = {
  addressOf: (request: IncomingMessage) => string
  /** Requests that one address may send at once; 0 is no limit. */
  burst: number
  /** True while this process comes late to its work. */
  isOverloaded: () => boolean
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

/** Throws the fault of a request too many. */
export type Admit = (request: IncomingMessage) => void

/** Counts requests by address, over whichever interface: one too many is refused, and any while there is too much to do. */
export function createAdmission({ addressOf, burst, isOverloaded, now = () => performance.now() }: Admission): Admit {
  const buckets = createBuckets(burst)
  return (request) => {
    if (burst > 0) {
      const { remaining, waitSeconds } = buckets.take(addressOf(request), now())
      if (waitSeconds > 0)
        throw new Fault('RATE_LIMITED', [], undefined, {
          'retry-after': String(waitSeconds),
          'ratelimit-limit': String(burst),
          'ratelimit-remaining': String(remaining),
          'ratelimit-reset': String(waitSeconds),
        })
    }
    if (isOverloaded()) throw unavailable()
  }
}
