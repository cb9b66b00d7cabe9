/** A longer pause before a model call is the engine's: no process waits it out. */
export const maxPauseMs = 5000

/** Milliseconds before a model call that has failed so often is made again. `waitMs`: what the provider requested. */
export function pauseBeforeRetry(failures: number, waitMs = 0): number {
  return Math.max(Math.min(1000 * 2 ** (failures - 1), 10_000), waitMs)
}

/** The part of that pause that is left: the same, whichever process makes the call. */
export function pauseLeft(failed: { sinceMs: number; retryAfterMs: number | null }, failures: number): number {
  return Math.max(0, Math.round(pauseBeforeRetry(failures, failed.retryAfterMs ?? 0) - failed.sinceMs))
}
