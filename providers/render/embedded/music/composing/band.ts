import { listChordDegrees, toPitch, voiceChord } from './harmony.ts'
import { measureGaps, parseHits, playDrums, playFill } from './rhythm.ts'
import { findChord, scenes, type SectionContext } from './scene.ts'

export function writeDrums(context: SectionContext): void {
  const { direction, section, turn, write } = context
  const { drums, level } = scenes[section.name]
  const { genre } = direction
  const random = direction.random.fork(`drums ${section.name} ${turn}`)
  for (let bar = 0; bar < section.bars; bar++) {
    const isEnd = bar === section.bars - 1 && section.bars > 1 && !section.isLast
    const pattern = drums === 'chorus' ? genre.chorus : genre.verse
    const { kick: _kick, snare: _snare, clap: _clap, ...light } = pattern
    const hits =
      drums === 'light' ? playDrums(light, random) : isEnd ? playFill(pattern, random) : playDrums(pattern, random)
    for (const { drum, step, velocity } of hits) write('drums', drum, { bar, step, steps: 4 }, 0, velocity * level)
  }
  if (section.name === 'chorus' && section.from > 0) write('effects', 'crash', { bar: 0, step: 0, steps: 32 }, 0, 0.8)
}

export function writeBass(context: SectionContext): void {
  if (!scenes[context.section.name].bass) return
  const { direction, section, write } = context
  const { genre, key } = direction
  const hits = parseHits(section.name === 'chorus' ? genre.bass.chorus : genre.bass.verse)
  const gaps = measureGaps(hits)
  const random = direction.random.fork(`bass ${section.name}`)
  const leaps = hits.map((_, index) => (index > 0 && random.chance(0.22) ? random.pick([4, 7, 7, -3]) : 0))
  for (let bar = 0; bar < section.bars; bar++)
    for (const [at, { step, velocity }] of hits.entries()) {
      const midi = toPitch(key, findChord(context, bar) + (leaps[at] ?? 0), 33)
      const pitch = midi > 50 ? midi - 12 : midi
      write('bass', genre.bass.instrument, { bar, step, steps: (gaps[at] ?? 1) * 0.9 }, pitch, velocity)
    }
}

export function writeChords(context: SectionContext): void {
  const { direction, section, write } = context
  const { genre, key } = direction
  const scene = scenes[section.name]
  const hits = parseHits(genre.chords.pattern)
  const gaps = measureGaps(hits)
  let voicing: number[] | undefined
  for (let bar = 0; bar < section.bars; bar++) {
    voicing = voiceChord(key, findChord(context, bar), genre.chords.sevenths, voicing)
    if (scene.chords)
      for (const [at, { step, velocity }] of hits.entries())
        for (const [string, midi] of voicing.entries())
          // A small offset per note imitates a strum.
          write(
            'chords',
            genre.chords.instrument,
            { bar, step: step + string * 0.06, steps: (gaps[at] ?? 1) * 0.95 },
            midi,
            velocity * scene.level,
          )
    if (scene.pad)
      for (const midi of voicing) write('pad', genre.pad, { bar, step: 0, steps: 16 }, midi, 0.7 * scene.level)
  }
}

export function writeArpeggio(context: SectionContext): void {
  const { direction, section, write } = context
  const { genre, key } = direction
  const { arpeggio } = genre
  if (arpeggio === undefined || !scenes[section.name].arpeggio) return
  const random = direction.random.fork('arpeggio')
  const order = random.pick([
    [0, 1, 2, 3, 2, 1, 2, 1],
    [0, 2, 1, 3, 0, 2, 1, 2],
    [3, 2, 1, 0, 1, 2, 3, 2],
  ])
  for (let bar = 0; bar < section.bars; bar++)
    for (let eighth = 0; eighth < 8; eighth++) {
      const tones = [...listChordDegrees(findChord(context, bar), false), findChord(context, bar) + 7]
      const midi = toPitch(key, tones[order[eighth] ?? 0] ?? 0, 67)
      write(
        'arpeggio',
        arpeggio,
        { bar, step: eighth * 2, steps: 1.8 },
        midi > 84 ? midi - 12 : midi,
        eighth % 2 === 0 ? 0.7 : 0.5,
      )
    }
}
