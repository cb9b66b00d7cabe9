/** Time limit of a provider run, after which it is aborted and treated as failed. */
export const providerRunTimeoutMs = 15 * 60 * 1000

const firstMinuteMs = 60 * 1000

/** Returns the milliseconds until the next poll; undefined when the provider run has reached its time limit. */
export function nextPollMs(elapsedMs: number): number | undefined {
  if (elapsedMs >= providerRunTimeoutMs) return undefined
  const pauseMs = elapsedMs < firstMinuteMs ? 5000 : 15_000
  return Math.min(pauseMs, providerRunTimeoutMs - elapsedMs)
}

const maxRoomPauseMs = 60_000

/** Returns the milliseconds until the next start attempt: the delay that the provider requested, longer with each refusal. */
export function nextStartMs(retryAfterSeconds: number, refusals: number): number {
  const requestedMs = retryAfterSeconds * 1000
  return Math.max(requestedMs, Math.min(requestedMs * 1.5 ** refusals, maxRoomPauseMs))
}
