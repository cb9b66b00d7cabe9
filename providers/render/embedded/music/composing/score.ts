import { writeArpeggio, writeBass, writeChords, writeDrums } from './band.ts'
import { pickProgressions } from './harmony.ts'
import { replaceLastBar } from './ending.ts'
import { readLyrics } from './lyrics.ts'
import { readDirection, type Direction, type MusicRequest } from '../request.ts'
import type { SectionContext } from './scene.ts'
import type { Score, ScoreNote } from './notes.ts'
import { layOut } from './sections.ts'
import { writeLead } from './tune.ts'

const writers = [writeDrums, writeBass, writeChords, writeArpeggio, writeLead]

/** Composes a track of exactly the requested length. The same request always gives the same score. */
export function compose(request: MusicRequest): Score {
  const direction = readDirection(request)
  const { genre, key, random } = direction
  const { tempo, bars } = fitTempo(direction, request.seconds)
  const sections = layOut(bars)
  const stepSeconds = 15 / tempo
  const notes: ScoreNote[] = []
  const write: SectionContext['write'] = (part, sound, { bar, step, steps }, midi, velocity) => {
    const swingSteps = Math.floor(step) % 2 === 1 ? genre.swing : 0
    const at = (bar * 16 + step + swingSteps) * stepSeconds
    if (at < request.seconds) notes.push({ part, sound, at, seconds: steps * stepSeconds, midi, velocity })
  }
  const lines = readLyrics(request.lyrics)
  const progressions = pickProgressions(key.mode, random.fork('harmony'))
  for (const [index, section] of sections.entries()) {
    const turn = sections.slice(0, index).filter(({ name }) => name === section.name).length
    const writeInSection: SectionContext['write'] = (part, sound, place, midi, velocity) =>
      write(part, sound, { ...place, bar: section.from + place.bar }, midi, velocity)
    for (const writePart of writers) writePart({ direction, progressions, lines, section, turn, write: writeInSection })
  }
  const track = { genre, key, tempo, seconds: request.seconds, sections }
  const score = { ...track, notes: notes.sort((a, b) => a.at - b.at) }
  return direction.isTempoFree && sections.length > 3 ? replaceLastBar(score, computeBarSeconds(tempo)) : score
}

/** Returns the tempo and the number of bars. Without a tempo in the prompt, adjusts the tempo so that the last bar is full. */
function fitTempo(direction: Direction, seconds: number): { tempo: number; bars: number } {
  const bars = seconds / computeBarSeconds(direction.tempo)
  if (!direction.isTempoFree) return { tempo: direction.tempo, bars: Math.max(1, Math.ceil(bars)) }
  const wholeBars = Math.max(1, Math.round(bars))
  return { tempo: (wholeBars * 240) / seconds, bars: wholeBars }
}

function computeBarSeconds(tempo: number): number {
  return 240 / tempo
}
