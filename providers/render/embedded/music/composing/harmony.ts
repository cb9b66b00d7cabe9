import { createRandom } from '../random.ts'

/** Semitones of each scale above its tonic, and chord progressions in scale degrees. A chord lasts one bar. */
const modes = {
  major: { scale: [0, 2, 4, 5, 7, 9, 11], progressions: ['0453', '5304', '0534', '3045', '0234', '1405'] },
  minor: { scale: [0, 2, 3, 5, 7, 8, 10], progressions: ['0526', '0354', '0656', '5600', '0263', '0536'] },
  dorian: { scale: [0, 2, 3, 5, 7, 9, 10], progressions: ['0303', '0630', '0236', '1400'] },
} as const

export type Mode = keyof typeof modes

/** Tonic as a pitch class, 0 for C. */
export type Key = { tonic: number; mode: Mode }

/** Returns the MIDI number of a scale degree, which may be below 0 or above 6. Degree 0 is the tonic at or above `base`. */
export function toPitch({ tonic, mode }: Key, degree: number, base: number): number {
  const octave = Math.floor(degree / 7)
  return moveAbove(tonic, base) + 12 * octave + (modes[mode].scale[degree - 7 * octave] ?? 0)
}

/** Moves a pitch by octaves into the octave that starts at `base`. */
export function moveAbove(midi: number, base: number): number {
  return base + ((((midi - base) % 12) + 12) % 12)
}

/** Picks two different progressions, for verses and for choruses. */
export function pickProgressions(mode: Mode, seed: string): { verse: number[]; chorus: number[] } {
  const { pick } = createRandom(`${seed}/harmony`)
  const { progressions } = modes[mode]
  const verse = pick<string>(progressions)
  const chorus = pick(progressions.filter((other) => other !== verse))
  return { verse: Array.from(verse, Number), chorus: Array.from(chorus, Number) }
}

/** Returns the tones of a chord within one octave around middle C, so that voices move little between chords. */
export function voiceChord(key: Key, degree: number, hasSeventh: boolean): number[] {
  return (hasSeventh ? [0, 2, 4, 6] : [0, 2, 4]).map((step) => moveAbove(toPitch(key, degree + step, 48), 56))
}
