import { ProviderError } from '../../fault.ts'
import type { Clock } from '../../retry.ts'

/** Maximum time by which a timer can fire early. */
const timerMs = 50

/**
 * Runs requests of one application, which Spotify asks for pauses as a whole: until one is over, further requests are
 * `rate_limited` here.
 */
export function createPause(clock: Clock) {
  let until = -Infinity
  return async <T>(request: () => Promise<T>): Promise<T> => {
    const leftMs = until - clock.now()
    if (leftMs > timerMs)
      throw new ProviderError('rate_limited', 'Spotify limits the rate of requests', {
        retryAfterSeconds: Math.ceil(leftMs / 1000),
      })
    try {
      return await request()
    } catch (error) {
      const seconds = error instanceof ProviderError && error.kind === 'rate_limited' ? error.retryAfterSeconds : 0
      until = Math.max(until, clock.now() + (seconds ?? 0) * 1000)
      throw error
    }
  }
}
