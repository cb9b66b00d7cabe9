/** `timeoutMs`: time limit of a run from its start. `pollIntervalMs`: polling interval of a render that sends no webhook. */
export const contentTimes = { timeoutMs: 20 * 60 * 1000, pollIntervalMs: 10_000 } as const

/** Returns the pause before a waiting run tries to claim a slot again: 2 s at first, longer with each attempt (from 0). */
export function slotPauseMs(attempt: number): number {
  return Math.min(2000 + attempt * 500, 15_000)
}

/** Polls the runs of a mention for thirty minutes. */
export const pollTimes = { roundMs: 30_000, maxRounds: 60 } as const
