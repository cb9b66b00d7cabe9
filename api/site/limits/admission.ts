import type { IncomingMessage } from 'node:http'
import { SiteError, unavailable } from '../../../domain/site/errors.ts'
import { createBuckets } from './buckets.ts'

export type AdmissionOptions = {
  readNetworkAddress: (request: IncomingMessage) => string
  /** Maximum burst of requests from one address. 0: no limit. */
  burst: number
  /** True while the event loop lag of this process exceeds its limit. */
  isOverloaded: () => boolean
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Admits a request, or throws a `SiteError`. */
export type Admit = (request: IncomingMessage) => void

/** Counts requests by address across all interfaces. Rejects requests above the limit, and all requests under overload. */
export function createAdmission({
  readNetworkAddress,
  burst,
  isOverloaded,
  now = () => performance.now(),
}: AdmissionOptions): Admit {
  const buckets = createBuckets(burst)
  return (request) => {
    if (burst > 0) {
      const { remaining, waitSeconds } = buckets.take(readNetworkAddress(request), now())
      if (waitSeconds > 0)
        throw new SiteError('RATE_LIMITED', [], undefined, {
          'retry-after': String(waitSeconds),
          'ratelimit-limit': String(burst),
          'ratelimit-remaining': String(remaining),
          'ratelimit-reset': String(waitSeconds),
        })
    }
    if (isOverloaded()) throw unavailable()
  }
}
