export type Clip = { startSeconds: number; durationSeconds: number }

/** Loudness of a song: one value per half second, on any scale. */
export type Levels = { seconds: number; levels: readonly number[] }

export const secondsPerLevel = 0.5
/** Weight of a rise: a part that is louder than the preceding one often starts the chorus. */
const riseWeight = 0.5
const before = 4
/** Number of places that the runs of a batch take turns through; each is nearly as good as the best. */
const maxPlaces = 3
const nearlyAsGood = 0.9

/**
 * The most energetic part of a song with this length: loud throughout, and starting with a rise. `turn` distinguishes the
 * runs of a batch, which use the best places in turn, at least half a clip apart. A shorter song is used whole.
 */
export function chooseClip({ seconds, levels }: Levels, wantedSeconds: number, turn: number): Clip {
  if (seconds <= wantedSeconds) return { startSeconds: 0, durationSeconds: seconds }
  const places = bestPlaces(levels, Math.max(1, Math.round(wantedSeconds / secondsPerLevel)))
  const start = (places[turn % Math.max(1, places.length)] ?? 0) * secondsPerLevel
  return { startSeconds: Math.min(start, seconds - wantedSeconds), durationSeconds: wantedSeconds }
}

/** Starts of the best parts of this length, best first. */
function bestPlaces(levels: readonly number[], length: number): number[] {
  const sums = [0]
  for (const level of levels) sums.push((sums.at(-1) ?? 0) + level)
  const mean = (from: number, to: number): number => ((sums[to] ?? 0) - (sums[from] ?? 0)) / Math.max(1, to - from)
  const scoreClip = (at: number): number => {
    const rise = mean(at, Math.min(at + before, at + length)) - mean(Math.max(0, at - before), at)
    return mean(at, at + length) + (at === 0 ? 0 : riseWeight * Math.max(0, rise))
  }
  const ranked = Array.from({ length: Math.max(1, levels.length - length + 1) }, (_, at) => ({
    at,
    score: scoreClip(at),
  }))
  ranked.sort((a, b) => b.score - a.score || a.at - b.at)
  const enough = (ranked[0]?.score ?? 0) * nearlyAsGood
  const chosen: number[] = []
  for (const { at, score } of ranked) {
    if (chosen.length === maxPlaces || score < enough) break
    if (chosen.every((other) => Math.abs(other - at) >= length / 2)) chosen.push(at)
  }
  return chosen
}
