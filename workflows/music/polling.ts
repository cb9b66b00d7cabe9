/** Counted, not clocked: the status of a render is asked for once, and then again this often. */
export const musicPolling = { everyMs: 10_000, maxRepeats: 90 } as const
