import type { Direction } from '../request.ts'
import type { Section } from './sections.ts'
import type { Sound } from '../sound/index.ts'

export type Part = 'drums' | 'bass' | 'chords' | 'pad' | 'arpeggio' | 'lead' | 'effects'

/** A note of a part. Times are in seconds from the start of the track. Drums ignore `midi`. */
export type ScoreNote = { part: Part; sound: Sound; at: number; seconds: number; midi: number; velocity: number }

export type Score = Pick<Direction, 'genre' | 'key' | 'tempo'> & {
  seconds: number
  sections: Section[]
  notes: ScoreNote[]
}
