/** Polls by count instead of elapsed time: the status is polled once, and then `maxRepeats` more times. */
export const musicPolling = { everyMs: 10_000, maxRepeats: 90 } as const
