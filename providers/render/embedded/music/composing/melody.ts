import type { Random } from '../random.ts'
import type { BarContext, BarNote } from './bar.ts'
import { toPitch } from './harmony.ts'

/** Relative probability of a note on each eighth of two bars. It is higher on beats and low at the end of the phrase. */
const onsetWeights = [10, 3, 6, 4, 8, 3, 6, 5, 9, 4, 6, 3, 7, 2, 1, 0.5]

/** Target of the melody line, in degrees from its center, by position in the phrase. */
const contours: readonly ((share: number) => number)[] = [
  (share) => 4 * Math.sin(Math.PI * share) - 1,
  (share) => 2.5 - 5 * share,
  (share) => 2.5 * Math.sin(2 * Math.PI * share),
  (share) => 2 - 4 * Math.sin(Math.PI * share),
]

/**
 * Plays the melody: a phrase of two bars per lyric line with a note per syllable, chord tones on the beats and scale steps
 * between them. Choruses repeat the same notes; verses follow the syllables of their lines.
 */
export function playLead({ genre, key, section, bar, findChord, lines, random }: BarContext): BarNote[] {
  if (bar % 2 === 1) return []
  const phrase = bar / 2
  const isChorus = section.name === 'chorus'
  const syllables = lines[isChorus ? 'chorus' : 'verse']
  const line = isChorus ? phrase : phrase + Math.floor((section.turn * section.bars) / 2)
  const draw = random.fork(`lead ${section.name} ${'abac'.charAt(phrase % 4)}`)
  const onsets = pickRhythm(Math.min(14, Math.max(4, syllables[line % syllables.length] ?? 7)), draw)
  const contour = draw.pick(contours)
  const center = isChorus ? 8 : 5
  let degree = center
  const notes = onsets.map((eighth, index): BarNote => {
    const isLast = index === onsets.length - 1
    const target = center + contour(eighth / 14) + draw.between(-1.2, 1.2)
    if (eighth % 2 === 0 || isLast) degree = nearestChordTone(target, findChord(eighth < 8 ? bar : bar + 1))
    else degree += target > degree ? 1 : -1
    if (isLast && phrase % 2 === 1) degree = 7 * Math.round(degree / 7)
    const next = onsets[index + 1] ?? Math.min(16, eighth + 4)
    const timing = { step: eighth * 2, steps: Math.min(8, (next - eighth) * 1.84) }
    const velocity = (eighth % 4 === 0 ? 0.95 : 0.78) + draw.between(-0.06, 0.06)
    return { part: 'lead', sound: genre.sounds.lead, ...timing, midi: toPitch(key, degree, 55), velocity }
  })
  return notes.filter(({ step }) => step < (section.bars - bar) * 16)
}

/** Picks `count` of the sixteen eighths at random, by weight. */
function pickRhythm(count: number, random: Random): number[] {
  const ranked = onsetWeights.map((weight, eighth) => ({ eighth, rank: weight * random.between(0.5, 1.6) }))
  const picked = ranked.sort((a, b) => b.rank - a.rank).slice(0, count)
  return picked.map(({ eighth }) => eighth).sort((a, b) => a - b)
}

function nearestChordTone(target: number, chord: number): number {
  const tones = [-14, -7, 0, 7, 14].flatMap((octave) => [0, 2, 4].map((step) => chord + step + octave))
  return tones.reduce((best, tone) => (Math.abs(tone - target) < Math.abs(best - target) ? tone : best))
}
