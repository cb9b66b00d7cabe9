/** `limitMs`: of a run since it has begun. `lookMs`: how often a render is looked at that says nothing by itself. */
export const contentTimes = { limitMs: 20 * 60 * 1000, lookMs: 10_000 } as const

/** Until a run that waits looks for a place again: 2 s, and longer the longer it has waited. */
export function slotPauseMs(looks: number): number {
  return Math.min(2000 + looks * 500, 15_000)
}

/** Thirty minutes of looks at the runs that a mention has started. */
export const pollTimes = { roundMs: 30_000, maxRounds: 60 } as const
