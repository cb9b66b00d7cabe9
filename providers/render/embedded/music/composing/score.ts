import { readDirection, type Direction, type MusicRequest } from '../request.ts'
import type { Sound } from '../sound/sounds.ts'
import { playBar, sustain } from './band.ts'
import { pickProgressions } from './harmony.ts'
import { readLyrics } from './lyrics.ts'
import { layOut, type Part, type Section } from './sections.ts'

/** A note of a part. Times are in seconds from the start of the track. Drums ignore `midi`. */
export type ScoreNote = { part: Part; sound: Sound; at: number; seconds: number; midi: number; velocity: number }

export type Score = Pick<Direction, 'genre' | 'key' | 'tempo'> & {
  seconds: number
  sections: Section[]
  notes: ScoreNote[]
}

/** Composes a track of exactly the requested length. The same request always gives the same score. */
export function compose(request: MusicRequest): Score {
  const direction = readDirection(request)
  const { genre, key, random } = direction
  const { tempo, bars } = fitTempo(direction, request.seconds)
  const sections = layOut(bars)
  const lines = readLyrics(request.lyrics)
  const progressions = pickProgressions(key.mode, random.fork('harmony'))
  // A track in whole bars ends with a sustained tonic.
  const hasEnding = direction.isTempoFree && sections.length > 3
  const stepSeconds = 15 / tempo
  const notes = sections.flatMap((section) => {
    const progression =
      section.name === 'chorus' || section.name === 'bridge' ? progressions.chorus : progressions.verse
    const findChord = (bar: number): number => progression[bar % progression.length] ?? 0
    return Array.from({ length: section.bars }).flatMap((_, bar) => {
      const isLast = section.from + bar === bars - 1
      const context = { genre, key, section, bar, isLast, findChord, lines, random }
      return playBar(isLast && hasEnding ? sustain(context) : context).map(({ step, steps, ...note }) => {
        const swingSteps = Math.floor(step) % 2 === 1 ? genre.feel.swing : 0
        const at = ((section.from + bar) * 16 + step + swingSteps) * stepSeconds
        return { ...note, at, seconds: steps * stepSeconds }
      })
    })
  })
  const played = notes.filter(({ at }) => at < request.seconds).sort((a, b) => a.at - b.at)
  return { genre, key, tempo, seconds: request.seconds, sections, notes: played }
}

/** Returns the tempo and the number of bars. Without a tempo in the prompt, adjusts the tempo so that the last bar is full. */
function fitTempo({ tempo, isTempoFree }: Direction, seconds: number): { tempo: number; bars: number } {
  const bars = (seconds * tempo) / 240
  if (!isTempoFree) return { tempo, bars: Math.max(1, Math.ceil(bars)) }
  const wholeBars = Math.max(1, Math.round(bars))
  return { tempo: (wholeBars * 240) / seconds, bars: wholeBars }
}
