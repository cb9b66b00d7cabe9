import type { Direction } from '../request.ts'
import type { Section } from './sections.ts'
import type { Sound } from '../sound/index.ts'

export type Part = 'drums' | 'bass' | 'chords' | 'pad' | 'arpeggio' | 'lead' | 'effects'

/** One sound of one part, in seconds from the beginning. `midi` is without meaning for drums. */
export type ScoreNote = { part: Part; sound: Sound; at: number; seconds: number; midi: number; velocity: number }

export type Score = Pick<Direction, 'genre' | 'key' | 'tempo'> & {
  seconds: number
  sections: Section[]
  notes: ScoreNote[]
}
