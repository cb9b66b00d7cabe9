/** `limitMs`: time limit of a run from its start. `lookMs`: polling interval of a render that sends no webhook. */
export const contentTimes = { limitMs: 20 * 60 * 1000, lookMs: 10_000 } as const

/** Pause before a waiting run tries to take a slot again: 2 s at first, longer with each try. */
export function slotPauseMs(looks: number): number {
  return Math.min(2000 + looks * 500, 15_000)
}

/** Polls the runs of a mention for thirty minutes. */
export const pollTimes = { roundMs: 30_000, maxRounds: 60 } as const
