import { setTimeout as pause } from 'node:timers/promises'
import { remainingMs, runUntilDeadline, type ProviderCall } from './call.ts'
import { ProviderError } from './errors/provider-error.ts'

/** Source of time. Tests replace it. */
export type Clock = { now(): number; pause(ms: number, signal: AbortSignal): Promise<void> }

export const systemClock: Clock = { now: Date.now, pause: (ms, signal) => pause(ms, undefined, { signal }) }

const maxAttempts = 3
const firstPauseMs = 1000
const maxPauseMs = 30_000

/** Parses a `Retry-After` header in seconds; undefined for any other value. */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

/**
 * Makes up to three attempts at an operation that is safe to repeat, as long as its errors are retryable. Throws the error
 * immediately if the pause would end after the deadline.
 */
export function withRetries<T>(
  call: ProviderCall,
  clock: Clock,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return runUntilDeadline(call, async (signal) => {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(signal)
      } catch (error) {
        if (!(error instanceof ProviderError) || !error.isRetryable || attempts === maxAttempts) throw error
        const pauseMs = computePauseMs(error, attempts)
        if (pauseMs >= remainingMs(call, clock.now())) throw error
        await clock.pause(pauseMs, signal)
      }
    }
  })
}

/** Returns the pause before the next attempt: 1 s, 2 s, up to 30 s, or the provider's `Retry-After` if it is longer. */
function computePauseMs(error: ProviderError, attempt: number): number {
  return Math.max(Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs), (error.retryAfterSeconds ?? 0) * 1000)
}
