export type Clip = { startSeconds: number; durationSeconds: number }

/** Loudness of a song: one value per half second, on any scale. */
export type Levels = { seconds: number; levels: readonly number[] }

export const secondsPerLevel = 0.5
/** Weight of a rise in loudness, because a chorus is often louder than the part before it. */
const riseWeight = 0.5
/** Number of levels before and after a start that are compared to find a rise. */
const riseSpan = 4
/** Maximum number of starts that the runs of a batch rotate through. */
const maxStarts = 3
/** Minimum score of a start, relative to the best score. */
const minScoreShare = 0.9

/**
 * Returns the most energetic part of a song: loud throughout, and starting with a rise in loudness. `turn` is the index of
 * the run in its batch: runs rotate through the best starts, which are at least half a clip apart. A song shorter than the
 * clip is used in full.
 */
export function chooseClip({ seconds, levels }: Levels, clipSeconds: number, turn: number): Clip {
  if (seconds <= clipSeconds) return { startSeconds: 0, durationSeconds: seconds }
  const starts = findBestStarts(levels, Math.max(1, Math.round(clipSeconds / secondsPerLevel)))
  const start = (starts[turn % Math.max(1, starts.length)] ?? 0) * secondsPerLevel
  return { startSeconds: Math.min(start, seconds - clipSeconds), durationSeconds: clipSeconds }
}

/** Returns the starts of the best parts of this length, best first. */
function findBestStarts(levels: readonly number[], length: number): number[] {
  const sums = [0]
  for (const level of levels) sums.push((sums.at(-1) ?? 0) + level)
  const mean = (from: number, to: number): number => ((sums[to] ?? 0) - (sums[from] ?? 0)) / Math.max(1, to - from)
  const scoreClip = (index: number): number => {
    const rise = mean(index, Math.min(index + riseSpan, index + length)) - mean(Math.max(0, index - riseSpan), index)
    return mean(index, index + length) + (index === 0 ? 0 : riseWeight * Math.max(0, rise))
  }
  const candidates = Array.from({ length: Math.max(1, levels.length - length + 1) }, (_, index) => ({
    index,
    score: scoreClip(index),
  }))
  candidates.sort((a, b) => b.score - a.score || a.index - b.index)
  const minScore = (candidates[0]?.score ?? 0) * minScoreShare
  const starts: number[] = []
  for (const { index, score } of candidates) {
    if (starts.length === maxStarts || score < minScore) break
    if (starts.every((start) => Math.abs(start - index) >= length / 2)) starts.push(index)
  }
  return starts
}
