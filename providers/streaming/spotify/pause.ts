import { ProviderError } from '../../errors/provider-error.ts'
import type { Clock } from '../../retry.ts'

/** Tolerance for timers that fire early. */
const timerToleranceMs = 50

/**
 * Limits the requests of an app. Spotify's rate limit applies to all requests of the app. Until its `Retry-After` has passed,
 * other requests throw `rate_limited` without being sent.
 */
export function createPause(clock: Clock) {
  let until = -Infinity
  return async <T>(request: () => Promise<T>): Promise<T> => {
    const remainingMs = until - clock.now()
    if (remainingMs > timerToleranceMs)
      throw new ProviderError('rate_limited', 'Spotify limits the rate of requests', {
        retryAfterSeconds: Math.ceil(remainingMs / 1000),
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
