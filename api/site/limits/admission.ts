import type { IncomingMessage } from 'node:http'
import { SiteError, unavailable } from '../../../domain/site/faults.ts'
import { createBuckets } from './buckets.ts'

export type Admission = {
  readNetworkAddress: (request: IncomingMessage) => string
  /** Maximum burst of requests from one address; 0 is no limit. */
  burst: number
  /** True while the event loop of this process is late. */
  isOverloaded: () => boolean
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Throws the fault for a refused request. */
export type Admit = (request: IncomingMessage) => void

/**
 * Counts requests by address across all interfaces. Refuses requests above the limit, and all requests under overload.
 */
export function createAdmission({
  readNetworkAddress,
  burst,
  isOverloaded,
  now = () => performance.now(),
}: Admission): Admit {
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
