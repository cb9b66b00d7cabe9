import type { Part, Score, ScoreNote } from '../composing/notes.ts'
import type { Section } from '../composing/sections.ts'
import { createEcho, createRoom } from '../sound/space.ts'
import { createSounds } from '../sound/index.ts'
import { createFilter, sampleRate, type Stereo } from '../sound/signal.ts'

type Channel = { gain: number; room: number; echo: number; pumped: boolean }

const channels: Record<Part, Channel> = {
  drums: { gain: 0.62, room: 0.05, echo: 0, pumped: false },
  bass: { gain: 0.4, room: 0, echo: 0, pumped: true },
  chords: { gain: 0.2, room: 0.3, echo: 0.04, pumped: true },
  pad: { gain: 0.22, room: 0.4, echo: 0, pumped: true },
  arpeggio: { gain: 0.26, room: 0.3, echo: 0.28, pumped: true },
  lead: { gain: 0.34, room: 0.32, echo: 0.22, pumped: false },
  effects: { gain: 0.26, room: 0.2, echo: 0, pumped: false },
}
const soundGains: Partial<Record<ScoreNote['sound'], number>> = {
  kick: 1.25,
  snare: 0.8,
  clap: 0.55,
  hat: 0.4,
  openHat: 0.36,
  ride: 0.3,
  shaker: 0.4,
  rim: 0.4,
  tom: 0.8,
  sub: 1.15,
  pluck: 2.4,
  guitar: 2.8,
  stab: 0.8,
  flute: 0.8,
  bell: 0.8,
}

const blockSize = 2048
const pumpSeconds = 0.17

type PlayingNote = { samples: Stereo; at: number; gain: number; channel: Channel }

/** Mixes the track without loudness normalization. `onProgress` receives the completed fraction. */
export function mix(score: Score, onProgress: (share: number) => void = () => {}): Stereo {
  const { genre, notes, seconds, tempo } = score
  const length = Math.round(seconds * sampleRate)
  const out: Stereo = { left: new Float32Array(length), right: new Float32Array(length) }
  const renderSound = createSounds()
  const pump = createPump(notes, genre.pump)
  const findCutoff = createIntroSweep(score)
  const room = createRoom(genre.space)
  const echo = createEcho(45 / tempo, 0.42)
  const introFilters = [createFilter('low'), createFilter('low')] as const
  const [dry, pumped, wet] = [createBus(), createBus(), createBus()]
  const [toRoom, toEcho] = [new Float32Array(blockSize), new Float32Array(blockSize)]
  const levels = new Float32Array(blockSize)
  let playingNotes: PlayingNote[] = []
  let next = 0

  const add = ({ samples, at, gain, channel }: PlayingNote, from: number): void => {
    const bus = channel.pumped ? pumped : dry
    const start = Math.max(0, at - from)
    const end = Math.min(blockSize, at + samples.left.length - from)
    for (let place = start; place < end; place++) {
      const l = (samples.left[from + place - at] ?? 0) * gain
      const r = (samples.right[from + place - at] ?? 0) * gain
      bus.left[place] = (bus.left[place] ?? 0) + l
      bus.right[place] = (bus.right[place] ?? 0) + r
      const mono = (l + r) * (channel.pumped ? (levels[place] ?? 1) : 1)
      toRoom[place] = (toRoom[place] ?? 0) + mono * channel.room
      toEcho[place] = (toEcho[place] ?? 0) + mono * channel.echo
    }
  }

  for (let from = 0; from < length; from += blockSize) {
    for (const bus of [dry.left, dry.right, pumped.left, pumped.right, wet.left, wet.right, toRoom, toEcho]) bus.fill(0)
    for (let place = 0; place < blockSize; place++) levels[place] = pump(from + place)
    for (let note = notes[next]; note !== undefined && note.at * sampleRate < from + blockSize; note = notes[++next]) {
      const channel = channels[note.part]
      const gain = channel.gain * (soundGains[note.sound] ?? 1) * note.velocity
      playingNotes.push({ samples: renderSound(note), at: Math.round(note.at * sampleRate), gain, channel })
    }
    for (const playing of playingNotes) add(playing, from)
    playingNotes = playingNotes.filter(({ at, samples }) => at + samples.left.length > from + blockSize)
    room(toRoom, wet.left, wet.right)
    echo(toEcho, wet.left, wet.right)
    const cutoff = findCutoff(from / sampleRate)
    for (let place = 0; place < Math.min(blockSize, length - from); place++)
      for (const [side, name] of (['left', 'right'] as const).entries()) {
        const sum =
          (dry[name][place] ?? 0) + (pumped[name][place] ?? 0) * (levels[place] ?? 1) + (wet[name][place] ?? 0)
        out[name][from + place] = cutoff === undefined ? sum : (introFilters[side]?.(sum, cutoff, 0.7) ?? 0)
      }
    onProgress(Math.min(1, (from + blockSize) / length))
  }
  return out
}

/** Returns a function that computes the sidechain gain of a sample. Each kick lowers the gain. */
function createPump(notes: ScoreNote[], depth: number): (index: number) => number {
  const kicks = notes.filter(({ sound }) => sound === 'kick').map(({ at }) => Math.round(at * sampleRate))
  let next = 0
  let samplesSinceKick = Number.POSITIVE_INFINITY
  return (index) => {
    samplesSinceKick += 1
    while (next < kicks.length && (kicks[next] ?? 0) <= index) {
      samplesSinceKick = index - (kicks[next] ?? 0)
      next++
    }
    const t = samplesSinceKick / sampleRate
    return t > pumpSeconds * 2 ? 1 : 1 - depth * Math.min(1, t * 250) * Math.exp(-t / (pumpSeconds / 2))
  }
}

/** Returns a function that computes the low-pass cutoff in hertz, which rises during an intro; undefined after it. */
function createIntroSweep({ sections, tempo }: Score): (seconds: number) => number | undefined {
  const [first] = sections as [Section | undefined]
  const until = first?.name === 'intro' ? (first.bars * 240) / tempo : 0
  return (seconds) => (seconds >= until ? undefined : 900 * 18 ** (seconds / until))
}

function createBus(): Stereo {
  return { left: new Float32Array(blockSize), right: new Float32Array(blockSize) }
}
