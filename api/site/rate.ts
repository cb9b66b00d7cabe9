import type { IncomingMessage } from 'node:http'
import { Fault } from '../../domain/site/faults.ts'
import { createBuckets } from './buckets.ts'

export type SiteRate = {
  addressOf: (request: IncomingMessage) => string
  /** Requests that one address may send at once; 0 is no limit. */
  burst: number
}

/** Counts a request to the tools, over whichever interface. Throws the fault of one too many. */
export function createSiteRate({ addressOf, burst }: SiteRate): (request: IncomingMessage) => void {
  const buckets = createBuckets(burst)
  return (request) => {
    if (burst === 0) return
    const { remaining, waitSeconds } = buckets.take(addressOf(request), performance.now())
    if (waitSeconds === 0) return
    throw new Fault('RATE_LIMITED', [], undefined, {
      'retry-after': String(waitSeconds),
      'ratelimit-limit': String(burst),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(waitSeconds),
    })
  }
}
