import { toPitch, type Key } from './harmony.ts'
import type { Random } from '../random.ts'

/** A note of a phrase. Times are in beats from the start of the phrase. */
export type MelodyNote = { at: number; beats: number; midi: number; velocity: number }

/** Relative probability of a note on each eighth of two bars. It is higher on beats and low at the end of the phrase. */
const onsetWeights = [10, 3, 6, 4, 8, 3, 6, 5, 9, 4, 6, 3, 7, 2, 1, 0.5]

/** Target of the melody line, in degrees from its center, by position in the phrase. */
const contours: readonly ((share: number) => number)[] = [
  (share) => 4 * Math.sin(Math.PI * share) - 1,
  (share) => 2.5 - 5 * share,
  (share) => 5 * share - 2.5,
  (share) => 2.5 * Math.sin(2 * Math.PI * share),
  (share) => 2 - 4 * Math.sin(Math.PI * share),
]

export type PhraseOptions = {
  key: Key
  /** Degrees of the chords of the two bars. */
  chords: readonly [number, number]
  /** Number of notes, which is the number of syllables. */
  count: number
  /** Degree around which the line moves. */
  center: number
  /** True if the phrase ends on the tonic. */
  endsOnTonic: boolean
  random: Random
}

/** Composes a phrase of two bars, with chord tones on the beats and scale steps between them. */
export function composePhrase({ key, chords, count, center, endsOnTonic, random }: PhraseOptions): MelodyNote[] {
  const onsets = pickRhythm(Math.min(14, Math.max(4, count)), random)
  const contour = random.pick(contours)
  let degree = center
  return onsets.map((eighth, index) => {
    const isLast = index === onsets.length - 1
    const targetDegree = center + contour(eighth / 14) + random.between(-1.2, 1.2)
    if (eighth % 2 === 0 || isLast) degree = nearestChordTone(targetDegree, eighth < 8 ? chords[0] : chords[1])
    else degree += targetDegree > degree ? 1 : -1
    if (isLast && endsOnTonic) degree = 7 * Math.round(degree / 7)
    const next = onsets[index + 1] ?? Math.min(16, eighth + 4)
    return {
      at: eighth / 2,
      beats: Math.min(2, ((next - eighth) / 2) * 0.92),
      midi: toPitch(key, degree, 55),
      velocity: (eighth % 4 === 0 ? 0.95 : 0.78) + random.between(-0.06, 0.06),
    }
  })
}

/** Picks `count` of the sixteen eighths at random, by weight. */
function pickRhythm(count: number, random: Random): number[] {
  const ranked = onsetWeights.map((weight, eighth) => ({ eighth, rank: weight * random.between(0.5, 1.6) }))
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .slice(0, count)
    .map(({ eighth }) => eighth)
    .sort((a, b) => a - b)
}

function nearestChordTone(targetDegree: number, chord: number): number {
  const tones = [-14, -7, 0, 7, 14].flatMap((octave) => [0, 2, 4].map((step) => chord + step + octave))
  return tones.reduce((best, tone) => (Math.abs(tone - targetDegree) < Math.abs(best - targetDegree) ? tone : best))
}
