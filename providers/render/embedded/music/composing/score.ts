import { writeArpeggio, writeBass, writeChords, writeDrums } from './band.ts'
import { pickProgressions } from './harmony.ts'
import { ending } from './ending.ts'
import { readLyrics } from './lyrics.ts'
import { direct, type Direction, type MusicRequest } from '../request.ts'
import type { Writing } from './scene.ts'
import type { Score, ScoreNote } from './notes.ts'
import { layOut } from './sections.ts'
import { writeLead } from './tune.ts'

const writers = [writeDrums, writeBass, writeChords, writeArpeggio, writeLead]

/** Composes a track of exactly the requested length. The same request always gives the same score. */
export function compose(request: MusicRequest): Score {
  const direction = direct(request)
  const { genre, key, random } = direction
  const { tempo, bars } = fit(direction, request.seconds)
  const sections = layOut(bars)
  const stepSeconds = 15 / tempo
  const notes: ScoreNote[] = []
  const write: Writing['write'] = (part, sound, { bar, step, steps }, midi, velocity) => {
    const late = Math.floor(step) % 2 === 1 ? genre.swing : 0
    const at = (bar * 16 + step + late) * stepSeconds
    if (at < request.seconds) notes.push({ part, sound, at, seconds: steps * stepSeconds, midi, velocity })
  }
  const lines = readLyrics(request.lyrics)
  const progressions = pickProgressions(key.mode, random.fork('harmony'))
  for (const [at, section] of sections.entries()) {
    const turn = sections.slice(0, at).filter(({ name }) => name === section.name).length
    const inSection: Writing['write'] = (part, sound, place, midi, velocity) =>
      write(part, sound, { ...place, bar: section.from + place.bar }, midi, velocity)
    for (const writePart of writers) writePart({ direction, progressions, lines, section, turn, write: inSection })
  }
  const played = { genre, key, tempo, seconds: request.seconds, sections }
  const score = { ...played, notes: notes.sort((a, b) => a.at - b.at) }
  return direction.isTempoFree && sections.length > 3 ? ending(score, secondsOfBar(tempo)) : score
}

/** If the prompt has no tempo, chooses a tempo at which the track ends with a full bar. */
function fit(direction: Direction, seconds: number): { tempo: number; bars: number } {
  const bars = seconds / secondsOfBar(direction.tempo)
  if (!direction.isTempoFree) return { tempo: direction.tempo, bars: Math.max(1, Math.ceil(bars)) }
  const whole = Math.max(1, Math.round(bars))
  return { tempo: (whole * 240) / seconds, bars: whole }
}

function secondsOfBar(tempo: number): number {
  return 240 / tempo
}
