/** A group commit starts no sooner than this many times the time of a usual one after the one before. */
const share = 3

/** What the newest commit counts for in the usual time. */
const weight = 0.1

/** However long commits take, readers wait no longer than this for the next. */
const mostMs = 60

/**
 * The time between two group commits, which follows the time that they take: while commits are quick, tokens are on their
 * way soon; under load there are fewer groups, and adjacent deltas of a run become one frame.
 */
export function createPace(leastMs: number): { intervalMs(): number; took(ms: number): void } {
  let usualMs = 0
  return {
    intervalMs: () => Math.min(Math.max(leastMs, share * usualMs), Math.max(leastMs, mostMs)),
    took: (ms) => {
      usualMs += weight * (ms - usualMs)
    },
  }
}
