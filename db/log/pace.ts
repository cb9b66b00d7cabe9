/** Interval between two group commits, as a multiple of the average commit time. */
const intervalFactor = 3

/** Weight of the newest commit in the moving average of the commit time. */
const weight = 0.1

/** Maximum interval, however long commits take. */
const maxMs = 60

/**
 * Interval between two group commits, which follows the commit time: fast commits deliver tokens early; under load
 * there are fewer groups, and adjacent deltas of a run are merged into one frame.
 */
export function createPace(minMs: number): { intervalMs(): number; recordCommit(ms: number): void } {
  let usualMs = 0
  return {
    intervalMs: () => Math.min(Math.max(minMs, intervalFactor * usualMs), Math.max(minMs, maxMs)),
    recordCommit: (ms) => {
      usualMs += weight * (ms - usualMs)
    },
  }
}
