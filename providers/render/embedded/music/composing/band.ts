import type { Genre, Pattern } from '../genres.ts'
import type { Drum, Sound } from '../sound/sounds.ts'
import { moveAbove, toPitch, voiceChord, type Key } from './harmony.ts'
import type { Section } from './sections.ts'

export type Part = 'drums' | 'bass' | 'chords' | 'pad' | 'lead'

/** A note of a bar. `step` and `steps` are in sixteenths. Drums ignore `midi`. */
export type BarNote = { part: Part; sound: Sound; midi: number; step: number; steps: number; velocity: number }

/** Plays the parts that accompany the melody in a bar. `bar` counts from the start of the section, `chord` is a scale degree. */
export function playBar(
  { genre, key }: { genre: Genre; key: Key },
  { section, bar, chord }: { section: Section; bar: number; chord: number },
): BarNote[] {
  const tones = voiceChord(key, chord, genre.feel.sevenths)
  const drums = Object.entries(genre.drums).flatMap(([drum, pattern]) => play('drums', drum as Drum, pattern))
  const bass = play('bass', ...genre.sounds.bass, [moveAbove(toPitch(key, chord, 33), 31)])
  const chords = play('chords', ...genre.sounds.chords, tones)
  const pad = play('pad', 'pad', 'x...............', tones)
  if (section.name === 'intro') return [...chords, ...pad]
  if (section.name === 'verse') return [...drums, ...bass, ...chords]
  const shaker = play('drums', 'shaker', 'x-x-x-x-x-x-x-x-')
  const crash = bar === 0 ? play('drums', 'crash', 'X...............') : []
  return [...drums, ...bass, ...chords, ...pad, ...shaker, ...crash]
}

function play(part: Part, sound: Sound, pattern: Pattern, pitches = [0]): BarNote[] {
  return parseHits(pattern).flatMap((hit) => pitches.map((midi) => ({ part, sound, midi, ...hit })))
}

const velocities: Record<string, number> = { X: 1, x: 0.75, '-': 0.42 }

/** Returns the hits of a pattern, each with the sixteenths to the next hit or to the end of the bar. */
function parseHits(pattern: Pattern): { step: number; steps: number; velocity: number }[] {
  const steps = Array.from(pattern, (sign, step) => ({ step, velocity: velocities[sign] ?? 0 }))
  const hits = steps.filter(({ velocity }) => velocity > 0)
  return hits.map((hit, index) => ({ ...hit, steps: (hits[index + 1]?.step ?? 16) - hit.step }))
}
