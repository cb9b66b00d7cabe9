import { toPitch, voiceChord } from './harmony.ts'
import type { Score, ScoreNote } from './notes.ts'

/** Replaces the last bar with a sustained tonic chord. */
export function ending(score: Score, barSeconds: number): Score {
  const { genre, key, seconds } = score
  const at = seconds - barSeconds
  const held = { at, seconds: barSeconds * 0.9, velocity: 0.9 }
  const chord = voiceChord(key, 0, genre.chords.sevenths, undefined)
  const last: ScoreNote[] = [
    { ...held, part: 'bass', sound: genre.bass.instrument, midi: toPitch(key, 0, 33) },
    { ...held, part: 'effects', sound: 'crash', midi: 0, velocity: 0.6 },
    ...(genre.verse.kick === undefined ? [] : [{ ...held, part: 'drums', sound: 'kick', midi: 0 } as const]),
    ...chord.map((midi) => ({ ...held, part: 'chords', sound: genre.chords.instrument, midi }) as const),
    ...chord.map((midi) => ({ ...held, part: 'pad', sound: genre.pad, midi, velocity: 0.6 }) as const),
  ]
  return { ...score, notes: [...score.notes.filter((note) => note.at < at - 0.01), ...last] }
}
