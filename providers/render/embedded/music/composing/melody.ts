import type { createRandom } from '../random.ts'
import { toPitch, type Key } from './harmony.ts'

/** Relative probability of a note on each eighth of two bars. It is higher on beats and low at the end of the phrase. */
const onsetWeights = [10, 3, 6, 4, 8, 3, 6, 5, 9, 4, 6, 3, 7, 2, 1, 0.5]

/**
 * Composes a phrase of two bars around the degree `center`, with a note per syllable, chord tones on the beats and scale steps
 * between them. `chords` are the chords of both bars. Times are in sixteenths.
 */
export function composePhrase(
  { key, syllables, center, chords }: { key: Key; syllables: number; center: number; chords: [number, number] },
  random: ReturnType<typeof createRandom>,
): { midi: number; step: number; steps: number; velocity: number }[] {
  const ranked = onsetWeights.map((weight, eighth) => ({ eighth, rank: weight * random.between(0.5, 1.6) }))
  const picked = ranked.sort((a, b) => b.rank - a.rank).slice(0, Math.min(14, Math.max(4, syllables)))
  const onsets = picked.map(({ eighth }) => eighth).sort((a, b) => a - b)
  /** Height of the arch that the melody follows, in degrees. */
  const arch = random.between(-4, 4)
  let degree = center
  return onsets.map((eighth, index) => {
    const target = center + arch * Math.sin((Math.PI * eighth) / 14) + random.between(-1.2, 1.2)
    if (eighth % 2 === 0 || index === onsets.length - 1) degree = nearestChordTone(target, chords[eighth < 8 ? 0 : 1])
    else degree += target > degree ? 1 : -1
    const steps = Math.min(8, ((onsets[index + 1] ?? Math.min(16, eighth + 4)) - eighth) * 1.84)
    return { midi: toPitch(key, degree, 55), step: eighth * 2, steps, velocity: eighth % 4 === 0 ? 0.95 : 0.78 }
  })
}

function nearestChordTone(target: number, chord: number): number {
  const tones = [-14, -7, 0, 7, 14].flatMap((octave) => [0, 2, 4].map((step) => chord + step + octave))
  return tones.reduce((best, tone) => (Math.abs(tone - target) < Math.abs(best - target) ? tone : best))
}
