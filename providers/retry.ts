import { setTimeout as pause } from 'node:timers/promises'
import { timeLeft, untilDeadline, type ProviderCall } from './call.ts'
import { ProviderFault } from './fault.ts'

/** The time of a process. A test has one of its own. */
export type Clock = { now(): number; pause(ms: number, signal: AbortSignal): Promise<void> }

export const systemClock: Clock = { now: Date.now, pause: (ms, signal) => pause(ms, undefined, { signal }) }

const maxAttempts = 3
const firstPauseMs = 1000
const maxPauseMs = 30_000

/** What a `Retry-After` header says in seconds; undefined for what is no number of seconds. */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

/**
 * For what is safe to repeat: up to three attempts on faults that are worth it. Never pauses beyond the deadline: the
 * fault is thrown at once instead.
 */
export function withRetries<T>(
  call: ProviderCall,
  clock: Clock,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return untilDeadline(call, async (signal) => {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(signal)
      } catch (error) {
        if (!(error instanceof ProviderFault) || !error.isRetryable || attempts === maxAttempts) throw error
        const pauseMs = pauseAfter(error, attempts)
        if (pauseMs >= timeLeft(call, clock.now())) throw error
        await clock.pause(pauseMs, signal)
      }
    }
  })
}

/** Before the next attempt: 1 s, 2 s, up to 30 s, or for as long as the provider asks. */
function pauseAfter(fault: ProviderFault, attempt: number): number {
  return Math.max(Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs), (fault.retryAfterSeconds ?? 0) * 1000)
}
