import { toPitch, voiceChord } from './harmony.ts'
import type { Score, ScoreNote } from './notes.ts'

/** Returns the score with its last bar replaced by a sustained tonic chord. */
export function replaceLastBar(score: Score, barSeconds: number): Score {
  const { genre, key, seconds } = score
  const at = seconds - barSeconds
  const sustained = { at, seconds: barSeconds * 0.9, velocity: 0.9 }
  const chord = voiceChord(key, 0, genre.chords.sevenths, undefined)
  const last: ScoreNote[] = [
    { ...sustained, part: 'bass', sound: genre.bass.instrument, midi: toPitch(key, 0, 33) },
    { ...sustained, part: 'effects', sound: 'crash', midi: 0, velocity: 0.6 },
    ...(genre.verse.kick === undefined ? [] : [{ ...sustained, part: 'drums', sound: 'kick', midi: 0 } as const]),
    ...chord.map((midi) => ({ ...sustained, part: 'chords', sound: genre.chords.instrument, midi }) as const),
    ...chord.map((midi) => ({ ...sustained, part: 'pad', sound: genre.pad, midi, velocity: 0.6 }) as const),
  ]
  return { ...score, notes: [...score.notes.filter((note) => note.at < at - 0.01), ...last] }
}
