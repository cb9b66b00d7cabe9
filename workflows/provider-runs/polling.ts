/** After this long the provider's run is aborted and has failed. */
export const providerRunLimitMs = 15 * 60 * 1000

const firstMinuteMs = 60 * 1000

/** Milliseconds until the provider is asked again; undefined when its run has had all its time. */
export function nextPollMs(elapsedMs: number): number | undefined {
  if (elapsedMs >= providerRunLimitMs) return undefined
  const pauseMs = elapsedMs < firstMinuteMs ? 5000 : 15_000
  return Math.min(pauseMs, providerRunLimitMs - elapsedMs)
}

const maxRoomPauseMs = 60_000

/** Milliseconds until room is looked for again: what the refusal asks for, and longer with each further refusal. */
export function nextStartMs(retryAfterSeconds: number, refusals: number): number {
  const askedMs = retryAfterSeconds * 1000
  return Math.max(askedMs, Math.min(askedMs * 1.5 ** refusals, maxRoomPauseMs))
}
