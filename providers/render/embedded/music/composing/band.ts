import type { DrumBar, Pattern } from '../genres.ts'
import type { BarContext, BarNote } from './bar.ts'
import { moveAbove, toPitch, voiceChord } from './harmony.ts'
import { playLead } from './melody.ts'
import { scenes } from './sections.ts'

const players = {
  bass: playBass,
  chords: playChords,
  pad: playPad,
  arpeggio: playArpeggio,
  lead: playLead,
  effects: playCrash,
}

/** Plays the parts of a bar. */
export function playBar(context: BarContext): BarNote[] {
  const { parts } = scenes[context.section.name]
  return [...playDrums(context), ...parts.flatMap((part) => players[part](context))]
}

/** Replaces what is played in a bar by the tonic, which lasts the whole bar. */
export function sustain(context: BarContext): BarContext {
  const { genre } = context
  const whole = 'X...............'
  const drums = { ...(genre.drums.kick !== undefined && { kick: whole }), crash: whole }
  const section = { ...context.section, name: 'outro' } as const
  return { ...context, section, findChord: () => 0, genre: { ...genre, drums, riffs: { bass: whole, chords: whole } } }
}

const loudness: Record<string, number> = { X: 1, x: 0.75, '-': 0.42 }

/** Returns the hits of a pattern, each with the sixteenths to the next hit or to the end of the bar. */
function parseHits(pattern: Pattern): { step: number; steps: number; velocity: number }[] {
  const steps = Array.from(pattern, (sign, step) => ({ step, velocity: loudness[sign] ?? 0 }))
  const hits = steps.filter(({ velocity }) => velocity > 0)
  return hits.map((hit, index) => ({ ...hit, steps: (hits[index + 1]?.step ?? 16) - hit.step }))
}

const fills: readonly DrumBar[] = [
  { kick: 'X...X...........', snare: '....X...x.x.xxxX' },
  { kick: 'X.......X.......', snare: '....X.......XX.X', tom: '........x.xx....' },
  { kick: 'X...X...X.......', tom: '..........x.xx..', snare: '....X.........XX' },
]

function playDrums({ genre, section, bar, isLast, random }: BarContext): BarNote[] {
  const { drums, level } = scenes[section.name]
  const draw = random.fork(`drums ${section.name} ${section.turn} ${bar}`)
  const { kick: _kick, snare: _snare, clap: _clap, ...light } = genre.drums
  const pattern = { verse: genre.drums, chorus: { ...genre.drums, ...genre.chorus }, light }[drums]
  const listHits = (played: DrumBar): BarNote[] =>
    Object.entries(played).flatMap(([drum, hits]) =>
      parseHits(hits).map(({ step, velocity }) => {
        const loud = velocity * level * draw.between(0.88, 1)
        return { part: 'drums', sound: drum as keyof DrumBar, step, steps: 4, midi: 0, velocity: loud }
      }),
    )
  const isFill = bar === section.bars - 1 && section.bars > 1 && drums !== 'light' && !isLast
  if (!isFill) return listHits(pattern)
  const fill = draw.pick(fills)
  return [...listHits(pattern).filter(({ step }) => step < 8), ...listHits(fill).filter(({ step }) => step >= 8)]
}

function playCrash({ section, bar }: BarContext): BarNote[] {
  if (bar > 0 || section.from === 0) return []
  return [{ part: 'effects', sound: 'crash', step: 0, steps: 32, midi: 0, velocity: 0.8 }]
}

/** Repeats a riff of roots with some leaps to other scale degrees. */
function playBass({ genre, key, section, bar, findChord, random }: BarContext): BarNote[] {
  const draw = random.fork(`bass ${section.name}`)
  return parseHits(genre.riffs.bass).map(({ step, steps, velocity }, index) => {
    const leap = index > 0 && draw.chance(0.22) ? draw.pick([4, 7, 7, -3]) : 0
    const midi = moveAbove(toPitch(key, findChord(bar) + leap, 33), 31)
    return { part: 'bass', sound: genre.sounds.bass, step, steps: steps * 0.9, midi, velocity }
  })
}

function playChords({ genre, key, section, bar, findChord }: BarContext): BarNote[] {
  const { level } = scenes[section.name]
  const tones = voiceChord(key, findChord(bar), genre.feel.sevenths)
  return parseHits(genre.riffs.chords).flatMap(({ step, steps, velocity }) =>
    // A small offset per note imitates a strum.
    tones.map((midi, index) => {
      const timing = { step: step + index * 0.06, steps: steps * 0.95 }
      return { part: 'chords', sound: genre.sounds.chords, ...timing, midi, velocity: velocity * level }
    }),
  )
}

function playPad({ genre, key, section, bar, findChord }: BarContext): BarNote[] {
  const velocity = 0.7 * scenes[section.name].level
  const tones = voiceChord(key, findChord(bar), genre.feel.sevenths)
  return tones.map((midi) => ({ part: 'pad', sound: genre.sounds.pad, step: 0, steps: 16, midi, velocity }))
}

const arpeggioOrders = ['01232121', '02130212', '32101232']

/** Plays the tones of the chord in eighths, in one order per track. */
function playArpeggio({ genre, key, bar, findChord, random }: BarContext): BarNote[] {
  const { arpeggio: sound } = genre.sounds
  if (sound === undefined) return []
  const [root = 60, ...upper] = voiceChord(key, findChord(bar), false)
  const tones = [root, ...upper, root + 12]
  return Array.from(random.fork('arpeggio').pick(arpeggioOrders), (tone, index) => {
    const timing = { step: index * 2, steps: 1.8, velocity: index % 2 === 0 ? 0.7 : 0.5 }
    return { part: 'arpeggio', sound, ...timing, midi: (tones[Number(tone)] ?? root) + 12 }
  })
}
