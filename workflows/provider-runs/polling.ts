/** Time limit of a provider run. It is then aborted and counts as failed. */
export const providerRunLimitMs = 15 * 60 * 1000

const firstMinuteMs = 60 * 1000

/** Milliseconds until the next poll; undefined when the provider run has reached its time limit. */
export function nextPollMs(elapsedMs: number): number | undefined {
  if (elapsedMs >= providerRunLimitMs) return undefined
  const pauseMs = elapsedMs < firstMinuteMs ? 5000 : 15_000
  return Math.min(pauseMs, providerRunLimitMs - elapsedMs)
}

const maxRoomPauseMs = 60_000

/** Milliseconds until the next start attempt: the delay that the provider requests, longer with each refusal. */
export function nextStartMs(retryAfterSeconds: number, refusals: number): number {
  const askedMs = retryAfterSeconds * 1000
  return Math.max(askedMs, Math.min(askedMs * 1.5 ** refusals, maxRoomPauseMs))
}
