/** Longer pauses before a model call are Temporal timers, so that no process waits for them. */
export const maxPauseMs = 5000

/** Milliseconds before the next attempt of a model call, by its failures. `waitMs`: requested by the provider. */
export function pauseBeforeRetry(failures: number, waitMs = 0): number {
  return Math.max(Math.min(1000 * 2 ** (failures - 1), 10_000), waitMs)
}

/** Remaining part of that pause; equal in every process. */
export function pauseLeft(failed: { sinceMs: number; retryAfterMs: number | null }, failures: number): number {
  return Math.max(0, Math.round(pauseBeforeRetry(failures, failed.retryAfterMs ?? 0) - failed.sinceMs))
}
