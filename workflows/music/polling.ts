/** Polling ends by count and not by time: the status is polled once, and then at most `maxRepeats` more times. */
export const musicPolling = { pollIntervalMs: 10_000, maxRepeats: 90 } as const
