/** Interval between two group commits, as a multiple of the average commit time. */
const intervalFactor = 3

/** Weight of the newest commit in the moving average of the commit time. */
const weight = 0.1

/** Maximum interval, regardless of the commit time. */
const maxMs = 100

/**
 * Computes the interval between two group commits from the average commit time. Fast commits shorten it, so that tokens
 * arrive early. Slow commits lengthen it, so that adjacent deltas of a run merge into one frame.
 */
export function createPace(minMs: number): { intervalMs(): number; recordCommit(ms: number): void } {
  let averageMs = 0
  return {
    intervalMs: () => Math.min(Math.max(minMs, intervalFactor * averageMs), Math.max(minMs, maxMs)),
    recordCommit: (ms) => {
      averageMs += weight * (ms - averageMs)
    },
  }
}
