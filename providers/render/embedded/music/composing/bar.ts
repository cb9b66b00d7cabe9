import type { Genre } from '../genres.ts'
import type { Random } from '../random.ts'
import type { Sound } from '../sound/sounds.ts'
import type { Key } from './harmony.ts'
import type { LyricLines } from './lyrics.ts'
import type { Part, Section } from './sections.ts'

/** A note of a bar. `step` and `steps` are in sixteenths. */
export type BarNote = { part: Part; sound: Sound; step: number; steps: number; midi: number; velocity: number }

export type BarContext = {
  genre: Genre
  key: Key
  section: Section
  /** Number of the bar within its section. */
  bar: number
  /** True in the last bar of the track. */
  isLast: boolean
  /** Returns the chord of a bar of the section, as a scale degree. */
  findChord: (bar: number) => number
  lines: LyricLines
  random: Random
}
