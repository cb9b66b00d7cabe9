import { LRUCache } from 'lru-cache'
import type { Part } from '../composing/band.ts'
import type { Score, ScoreNote } from '../composing/score.ts'
import { renderSound, sampleRate } from './sounds.ts'

/** A stereo signal. Both channels have the same length. */
export type Stereo = { left: Float32Array; right: Float32Array }

const gains: Record<Part, number> = { drums: 0.62, bass: 0.4, chords: 0.2, pad: 0.22, lead: 0.34 }
/** Level in the room of the parts other than drums and bass. */
const wetness = 0.33

/** Mixes the notes in the middle of a stereo room. */
export function mix({ notes, seconds }: Score, log: (message: string) => void): Stereo {
  const length = Math.round(seconds * sampleRate)
  const [left, right] = [new Float32Array(length), new Float32Array(length)]
  const cache = new LRUCache<string, Float32Array, ScoreNote>({
    maxSize: 20_000_000,
    sizeCalculation: (samples) => samples.length,
    memoMethod: (_name, _previous, { context: note }) => renderSound(note),
  })
  // Until the room is added, `left` contains the dry sound and `right` the input of the room.
  for (const [index, note] of notes.entries()) {
    const wet = note.part === 'drums' || note.part === 'bass' ? 0 : wetness
    const start = Math.round(note.at * sampleRate)
    // Most notes of a track repeat. Their velocity and length are quantized in inaudible steps.
    const [velocity, seconds] = [Math.round(note.velocity * 5) / 5, Math.round(note.seconds * 100) / 100]
    const context = { ...note, velocity, seconds }
    const samples = cache.memo([note.sound, note.midi, seconds, velocity].join(' '), { context })
    samples.subarray(0, length - start).forEach((sample, offset) => {
      const [at, level] = [start + offset, sample * gains[note.part] * note.velocity]
      left[at] = (left[at] ?? 0) + level
      right[at] = (right[at] ?? 0) + level * wet
    })
    if (index > 0 && index % Math.ceil(notes.length / 4) === 0)
      log(`Played ${Math.round((index / notes.length) * 100)} %.`)
  }
  const [leftRoom, rightRoom] = [createRoom(0), createRoom(23)]
  left.forEach((dry, index) => {
    const input = right[index] ?? 0
    left[index] = dry + leftRoom(input)
    right[index] = dry + rightRoom(input)
  })
  return { left, right }
}

/** Delays of the comb filters of Freeverb, in samples at 44,100 Hz. */
const delays = [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617]

/** Returns the reverb of a channel: delays, longer by `spread`, whose output is fed back with less treble. */
function createRoom(spread: number): (input: number) => number {
  const combs = delays.map((length) => ({ ring: new Float32Array(length + spread), at: 0, damped: 0 }))
  return (input) => {
    let sum = 0
    for (const comb of combs) {
      const out = comb.ring[comb.at] ?? 0
      comb.damped = out * 0.65 + comb.damped * 0.35
      comb.ring[comb.at] = input * 0.03 + comb.damped * 0.8
      comb.at = (comb.at + 1) % comb.ring.length
      sum += out
    }
    return sum
  }
}

/** Power at which a track has about −14 LUFS. */
const targetPower = 10 ** (-12.2 / 10)
/** Maximum peak. The headroom is for overshoot of the encoder. */
const ceiling = 10 ** (-1.5 / 20)
const fadeSeconds = 1.2

/** Fades out a mix and normalizes its loudness in place, without clipping. */
export function master({ left, right }: Stereo): void {
  let power = 0
  for (const samples of [left, right]) samples.forEach((sample) => (power += sample ** 2 / left.length))
  const gain = Math.sqrt(targetPower / Math.max(power, 1e-9))
  const fade = Math.min(fadeSeconds * sampleRate, left.length / 4)
  for (const samples of [left, right])
    samples.forEach((sample, index) => {
      const level = sample * gain * Math.min(1, (samples.length - 1 - index) / fade)
      samples[index] = ceiling * Math.tanh(level / ceiling)
    })
}
