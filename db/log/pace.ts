/** Minimum interval between two group commits, as a multiple of the usual commit time. */
const share = 3

/** Weight of the newest commit in the moving average of the commit time. */
const weight = 0.1

/** Maximum interval, however long commits take. */
const maxMs = 60

/**
 * Interval between two group commits, which follows the commit time: fast commits deliver tokens early; under load
 * there are fewer groups, and adjacent deltas of a run are merged into one frame.
 */
export function createPace(minMs: number): { intervalMs(): number; took(ms: number): void } {
  let usualMs = 0
  return {
    intervalMs: () => Math.min(Math.max(minMs, share * usualMs), Math.max(minMs, maxMs)),
    took: (ms) => {
      usualMs += weight * (ms - usualMs)
    },
  }
}
