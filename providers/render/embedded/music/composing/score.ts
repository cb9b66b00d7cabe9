import { createRandom } from '../random.ts'
import { readDirection, type Direction, type MusicRequest } from '../request.ts'
import { playBar, type BarNote } from './band.ts'
import { pickProgressions } from './harmony.ts'
import { readLyrics } from './lyrics.ts'
import { composePhrase } from './melody.ts'
import { layOut, type Section } from './sections.ts'

/** A note of a part. Times are in seconds from the start of the track. */
export type ScoreNote = Omit<BarNote, 'step' | 'steps'> & { at: number; seconds: number }

export type Score = ReturnType<typeof compose>

const levels = { intro: 0.7, verse: 0.86, chorus: 1, outro: 0.8 }

/** Composes a track of exactly the requested length. The same request always gives the same score. */
export function compose({ seconds, ...request }: MusicRequest) {
  const direction = readDirection(request)
  const { genre, key, seed } = direction
  const { tempo, bars } = fitTempo(direction, seconds)
  const sections = layOut(bars)
  const lines = readLyrics(request.lyrics)
  const progressions = pickProgressions(key.mode, seed)

  const findChord = ({ name }: Section, bar: number): number => {
    const progression = progressions[name === 'chorus' ? 'chorus' : 'verse']
    return progression[bar % progression.length] ?? 0
  }
  /** Choruses repeat the same phrases; verses follow the syllables of their lines. */
  const playLead = (section: Section, bar: number): BarNote[] => {
    const { name, turn } = section
    if (bar % 2 === 1 || (name !== 'chorus' && name !== 'verse')) return []
    const phrase = bar / 2
    const line = phrase + (name === 'verse' ? Math.floor((turn * section.bars) / 2) : 0)
    const syllables = lines[name][line % lines[name].length] ?? 0
    const chords: [number, number] = [findChord(section, bar), findChord(section, bar + 1)]
    const random = createRandom(`${seed}/lead ${name} ${'abac'.charAt(phrase % 4)}`)
    return composePhrase({ key, syllables, center: name === 'chorus' ? 8 : 5, chords }, random)
      .filter(({ step }) => step < (section.bars - bar) * 16)
      .map((note) => ({ part: 'lead', sound: genre.sounds.lead, ...note }))
  }

  const stepSeconds = 15 / tempo
  const notes: ScoreNote[] = sections.flatMap((section) =>
    Array.from({ length: section.bars }).flatMap((_, bar) => {
      const played = playBar(direction, { section, bar, chord: findChord(section, bar) })
      return [...played, ...playLead(section, bar)].map(({ step, steps, velocity, ...note }) => {
        const swingSteps = step % 2 === 1 ? genre.feel.swing : 0
        const at = ((section.from + bar) * 16 + step + swingSteps) * stepSeconds
        return { ...note, at, seconds: steps * stepSeconds, velocity: velocity * levels[section.name] }
      })
    }),
  )
  return { genre, key, tempo, seconds, sections, notes: notes.filter(({ at }) => at < seconds) }
}

/** Adjusts a free tempo so that the track has whole bars. */
function fitTempo({ tempo, isTempoFree }: Direction, seconds: number): { tempo: number; bars: number } {
  const bars = (seconds * tempo) / 240
  if (!isTempoFree) return { tempo, bars: Math.max(1, Math.ceil(bars)) }
  const wholeBars = Math.max(1, Math.round(bars))
  return { tempo: (wholeBars * 240) / seconds, bars: wholeBars }
}
