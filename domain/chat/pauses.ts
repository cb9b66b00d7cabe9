/** Longer pauses before a model call are Temporal timers, so that no process is occupied. */
export const maxPauseMs = 5000

/** Returns the milliseconds before the next attempt at a model call. `waitMs` is the wait that the provider requested. */
export function pauseBeforeRetry(failures: number, waitMs = 0): number {
  return Math.max(Math.min(1000 * 2 ** (failures - 1), 10_000), waitMs)
}

/** Returns the remaining milliseconds of the pause after a failed call. Every process computes the same value. */
export function remainingPause(failedCall: { sinceMs: number; retryAfterMs: number | null }, failures: number): number {
  return Math.max(0, Math.round(pauseBeforeRetry(failures, failedCall.retryAfterMs ?? 0) - failedCall.sinceMs))
}
