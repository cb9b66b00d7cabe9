import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { describeDirection, readDirection } from '../../providers/render/embedded/music/request.ts'
import { countSyllables, readLyrics } from '../../providers/render/embedded/music/composing/lyrics.ts'
import { renderMusic } from '../../providers/render/embedded/music/render.ts'
import { compose, type Score } from '../../providers/render/embedded/music/composing/score.ts'
import { layOut } from '../../providers/render/embedded/music/composing/sections.ts'
import { genres } from '../../providers/render/embedded/music/genres.ts'
import { decodeAudio, requireFfmpeg, measureLoudness, measurePeak, measureSeconds } from './decoded.ts'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'backline-music-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const lyrics = 'We drive all night along the shore\n[Chorus]\nStay with me tonight'

function buildRequest(prompt: string, seed = 1, seconds = 2) {
  return { prompt, lyrics, seconds, seed }
}

const logs: string[] = []

async function render(request: ReturnType<typeof buildRequest>) {
  const { file, durationSeconds } = await renderMusic(request, {
    ffmpeg: await requireFfmpeg(),
    folder,
    log: (line) => logs.push(line),
  })
  return { path: join(folder, file), durationSeconds }
}

async function renderBytes(seed: number): Promise<Buffer> {
  return readFile((await render(buildRequest('house', seed))).path)
}

describe('a rendered track', () => {
  it.each(['upbeat pop', 'ambient'])(
    'of %s has the requested length and loudness and does not clip',
    async (prompt) => {
      const { path, durationSeconds } = await render(buildRequest(prompt))
      expect(path.endsWith('.mp3')).toBe(true)
      const samples = await decodeAudio(path)
      expect(Math.abs(measureSeconds(samples) - 2)).toBeLessThan(0.2)
      expect(durationSeconds).toBe(2)
      expect(measurePeak(samples)).toBeLessThan(1)
      const loudness = await measureLoudness(path)
      expect(loudness).toBeGreaterThan(-20)
      expect(loudness).toBeLessThan(-9)
    },
  )

  it('has the same samples for the same seed and different samples for another seed', async () => {
    const first = await renderBytes(7)
    expect(first.equals(await renderBytes(7))).toBe(true)
    expect(first.equals(await renderBytes(8))).toBe(false)
  })

  it('states that it has no vocals', () => {
    expect(logs.some((line) => line.includes('does not sing'))).toBe(true)
  })
})

function countNotes(score: Score, name: string): number {
  const bar = 240 / score.tempo
  const sections = score.sections.filter((section) => section.name === name)
  const bars = sections.reduce((sum, section) => sum + section.bars, 0)
  const sectionNotes = score.notes.filter(({ at }) =>
    sections.some(({ from, bars }) => at >= from * bar - 0.001 && at < (from + bars) * bar - 0.001),
  )
  return sectionNotes.length / bars
}

describe('a score', () => {
  it.each(genres.map(({ name }) => name))(
    'of %s has an intro, verses and fuller choruses within its duration',
    (name) => {
      const score = compose(buildRequest(name, 3, 60))
      expect(score.genre.name).toBe(name)
      expect(score.sections.map((section) => section.name)).toEqual(
        expect.arrayContaining(['intro', 'verse', 'chorus', 'outro']),
      )
      expect(countNotes(score, 'chorus')).toBeGreaterThan(countNotes(score, 'intro'))
      expect(new Set(score.notes.map(({ part }) => part))).toEqual(new Set(['drums', 'bass', 'chords', 'pad', 'lead']))
      expect(score.notes.every(({ at }) => at >= 0 && at < 60)).toBe(true)
      // Whole bars, at a tempo that still fits the genre.
      expect((60 * score.tempo) / 240).toBeCloseTo(Math.round((60 * score.tempo) / 240), 6)
    },
  )

  it('plays the notes of its key', () => {
    const { notes } = compose(buildRequest('happy pop in C major', 5, 30))
    const classes = new Set(
      notes.filter(({ part }) => part === 'lead' || part === 'chords').map(({ midi }) => midi % 12),
    )
    expect(Array.from(classes).filter((pitch) => ![0, 2, 4, 5, 7, 9, 11].includes(pitch))).toEqual([])
  })

  it('has the same chorus each time', () => {
    const score = compose(buildRequest('synthwave 120 bpm', 2, 90))
    const bar = 240 / score.tempo
    const choruses = score.sections.filter((section) => section.name === 'chorus')
    const [first, second] = choruses.map(({ from }) =>
      score.notes
        .filter(({ part, at }) => part === 'lead' && at >= from * bar - 0.001 && at < (from + 2) * bar - 0.001)
        .map(({ at, midi }) => [Math.round((at - from * bar) * 1000), midi]),
    )
    expect(first?.length).toBeGreaterThan(2)
    expect(second).toEqual(first)
  })
})

test('a prompt states tempo, key and genre', () => {
  const describePrompt = (prompt: string): string => describeDirection(readDirection(buildRequest(prompt)))
  expect(describePrompt('dreamy drum and bass, 172 BPM, in F# minor')).toBe('drum and bass, 172 bpm, F sharp minor')
  expect(describePrompt('a techno track in B flat major at 130bpm')).toBe('techno, 130 bpm, B flat major')
  expect(describePrompt('sad lofi beats in Eb minor')).toMatch(/^lofi, \d+ bpm, E flat minor$/)
  expect(readDirection(buildRequest('sad piano ballad')).key.mode).toBe('minor')
  expect(readDirection(buildRequest('happy house')).key.mode).toBe('major')
  expect(readDirection(buildRequest('fast rock')).tempo).toBeGreaterThan(readDirection(buildRequest('slow rock')).tempo)
})

test('any number of bars is divided into sections without a remainder', () => {
  for (let bars = 1; bars <= 220; bars++) {
    const sections = layOut(bars)
    expect([bars, sections.reduce((sum, section) => sum + section.bars, 0)]).toEqual([bars, bars])
    expect(sections.every((section) => Number.isInteger(section.bars) && section.bars > 0)).toBe(true)
    expect(sections.some(({ name }) => name === 'chorus')).toBe(true)
  }
})

test('syllables are counted, and each line belongs to a verse or a chorus', () => {
  expect(['We drive all night', 'tonight', '', 'éclair', 'hmm', '東京'].map(countSyllables)).toEqual([4, 2, 0, 2, 1, 2])
  expect(readLyrics('one two\n\n[Chorus 1]\nhold on\n[Verse 2]\nthree')).toEqual({ verse: [2, 1], chorus: [2] })
  expect(readLyrics('[Pre-Chorus]\nhello').chorus).toEqual([2])
  expect(readLyrics('').verse).toHaveLength(4)
})
