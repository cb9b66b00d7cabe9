import type { Random } from '../random.ts'

export type Mode = 'major' | 'minor' | 'dorian' | 'mixolydian'

/** Tonic as a pitch class, 0 for C. */
export type Key = { tonic: number; mode: Mode }

const scales: Record<Mode, readonly number[]> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  mixolydian: [0, 2, 4, 5, 7, 9, 10],
}

/** Chord progressions as scale degrees, 0 for the tonic. A chord lasts one bar. */
const progressions: Record<Mode, readonly (readonly number[])[]> = {
  major: [
    [0, 4, 5, 3],
    [5, 3, 0, 4],
    [0, 5, 3, 4],
    [3, 0, 4, 5],
    [0, 2, 3, 4],
    [1, 4, 0, 5],
  ],
  minor: [
    [0, 5, 2, 6],
    [0, 3, 5, 4],
    [0, 6, 5, 6],
    [5, 6, 0, 0],
    [0, 2, 6, 3],
    [0, 5, 3, 6],
  ],
  dorian: [
    [0, 3, 0, 3],
    [0, 6, 3, 0],
    [0, 2, 3, 6],
    [1, 4, 0, 0],
  ],
  mixolydian: [
    [0, 6, 3, 0],
    [0, 3, 6, 3],
    [0, 4, 6, 3],
  ],
}

export const noteNames = [
  'C',
  'C sharp',
  'D',
  'E flat',
  'E',
  'F',
  'F sharp',
  'G',
  'A flat',
  'A',
  'B flat',
  'B',
] as const

/** Returns the MIDI number of a scale degree, which may be below 0 or above 6. Degree 0 is the tonic at or above `base`. */
export function toPitch({ tonic, mode }: Key, degree: number, base: number): number {
  const root = base + ((((tonic - base) % 12) + 12) % 12)
  const octave = Math.floor(degree / 7)
  return root + 12 * octave + (scales[mode][degree - 7 * octave] ?? 0)
}

/** Picks two different progressions, for verses and for choruses. */
export function pickProgressions(mode: Mode, random: Random): { verse: readonly number[]; chorus: readonly number[] } {
  const verse = random.pick(progressions[mode])
  const chorus = random.pick(progressions[mode].filter((other) => other !== verse))
  return { verse, chorus }
}

export function listChordDegrees(degree: number, sevenths: boolean): number[] {
  return [0, 2, 4, ...(sevenths ? [6] : [])].map((step) => degree + step)
}

/** Returns the inversion of a chord that is nearest to the previous voicing, so that voices move little. */
export function voiceChord(key: Key, degree: number, sevenths: boolean, previous: number[] | undefined): number[] {
  const notes = listChordDegrees(degree, sevenths).map((tone) => toPitch(key, tone, 48))
  const center = previous === undefined ? 62 : previous.reduce((sum, note) => sum + note, 0) / previous.length
  const inversions = Array.from({ length: notes.length * 3 }, (_, offset) => {
    const octave = 12 * (Math.floor(offset / notes.length) - 1)
    const movedNotes = offset % notes.length
    return notes.map((note, index) => note + octave + (index < movedNotes ? 12 : 0)).sort((a, b) => a - b)
  })
  // A bias toward the center keeps the voicing in its register.
  const weight = (voicing: number[]): number => distance(voicing, center) + 0.4 * distance(voicing, 62)
  return inversions.reduce((best, voicing) => (weight(voicing) < weight(best) ? voicing : best))
}

function distance(voicing: number[], center: number): number {
  return Math.abs(voicing.reduce((sum, note) => sum + note, 0) / voicing.length - center)
}
