import type { pickProgressions } from './harmony.ts'
import type { Direction } from '../request.ts'
import type { LyricLines } from './lyrics.ts'
import type { Part } from './notes.ts'
import type { Section } from './sections.ts'
import type { Sound } from '../sound/index.ts'

/** Parts that play in each section, and the level of the section. */
export const scenes = {
  intro: { drums: 'light', bass: false, chords: true, pad: true, arpeggio: true, lead: false, level: 0.8 },
  verse: { drums: 'verse', bass: true, chords: true, pad: false, arpeggio: false, lead: true, level: 0.86 },
  chorus: { drums: 'chorus', bass: true, chords: true, pad: true, arpeggio: true, lead: true, level: 1 },
  bridge: { drums: 'light', bass: true, chords: false, pad: true, arpeggio: true, lead: true, level: 0.8 },
  outro: { drums: 'verse', bass: true, chords: true, pad: true, arpeggio: false, lead: false, level: 0.84 },
} as const

export type SectionContext = {
  direction: Direction
  progressions: ReturnType<typeof pickProgressions>
  lines: LyricLines
  section: Section
  /** Number of earlier sections with this name. */
  turn: number
  /** Adds a note at a sixteenth of a bar of the section. */
  write: (
    part: Part,
    sound: Sound,
    place: { bar: number; step: number; steps: number },
    midi: number,
    velocity: number,
  ) => void
}

/** Returns the chord degree of a bar of the section. */
export function findChord({ section, progressions }: SectionContext, bar: number): number {
  const progression = section.name === 'chorus' || section.name === 'bridge' ? progressions.chorus : progressions.verse
  return progression[bar % progression.length] ?? 0
}
