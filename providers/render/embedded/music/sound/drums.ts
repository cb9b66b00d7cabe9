import type { Random } from '../random.ts'
import { createFilter, createSamples, mono, pan, type Stereo } from './signal.ts'

/** Renderers of the drums. All hits of a drum use the same sample at different levels. */
const drums = {
  kick,
  snare,
  clap,
  tom,
  rim,
  crash,
  hat: (random: Random) => pan(metal(0.09, random, 7800, 0.02), 0.22),
  openHat: (random: Random) => pan(metal(0.42, random, 6800, 0.12), 0.22),
  ride: (random: Random) => pan(metal(0.7, random, 5200, 0.22), -0.3),
  shaker: (random: Random) =>
    pan(
      noise(0.11, random, 6200, (t) => Math.min(1, t * 45) * fall(t, 0.028)),
      -0.4,
    ),
} satisfies Record<string, (random: Random) => Stereo>

export type Drum = keyof typeof drums

export function isDrum(sound: string): sound is Drum {
  return sound in drums
}

export function renderDrum(drum: Drum, random: Random): Stereo {
  return drums[drum](random)
}

function kick(random: Random): Stereo {
  const body = sweep(0.16, 190, 47, 0.028)
  const click = noise(0.4, random, 2500, (t) => fall(t, 0.003))
  return mono(
    createSamples(
      0.4,
      (t, index) => Math.tanh(1.9 * body(t)) * Math.min(1, (0.4 - t) * 40) + 0.22 * (click[index] ?? 0),
    ),
  )
}

function sweep(seconds: number, from: number, to: number, drop: number): (t: number) => number {
  // The phase is the integral of a frequency that falls exponentially.
  return (t) => Math.sin(2 * Math.PI * (to * t + (from - to) * drop * (1 - fall(t, drop)))) * fall(t, seconds)
}

function fall(t: number, seconds: number): number {
  return Math.exp(-t / seconds)
}

function noise(seconds: number, random: Random, low: number, shape: (t: number) => number): Float32Array {
  const filter = createFilter('high')
  return createSamples(seconds, (t) => filter(random.next() * 2 - 1, low, 0.7) * shape(t))
}

function snare(random: Random): Stereo {
  const [low, high] = [sweep(0.07, 240, 185, 0.02), sweep(0.045, 390, 330, 0.02)]
  const wires = noise(0.3, random, 1600, (t) => fall(t, 0.085) * 0.75)
  return mono(createSamples(0.3, (t, index) => Math.tanh(1.3 * (0.55 * low(t) + 0.3 * high(t) + (wires[index] ?? 0)))))
}

/** Renders a clap of several hands with small delays between them. */
function clap(random: Random): Stereo {
  const band = createFilter('band')
  const hands = [0, 0.011, 0.021]
  const shape = (t: number): number =>
    hands.reduce((sum, index) => sum + (t >= index ? fall(t - index, 0.006) : 0), 0) * 0.6 +
    (t >= 0.03 ? fall(t - 0.03, 0.075) : 0)
  return mono(createSamples(0.3, (t) => band(random.next() * 2 - 1, 1350, 1.3) * shape(t) * 0.9))
}

function tom(): Stereo {
  const body = sweep(0.14, 165, 98, 0.05)
  return pan(
    createSamples(0.4, (t) => Math.tanh(1.4 * body(t)) * Math.min(1, (0.4 - t) * 40)),
    -0.3,
  )
}

function rim(random: Random): Stereo {
  const click = noise(0.06, random, 900, (t) => fall(t, 0.004))
  const ring = sweep(0.012, 1750, 1680, 0.01)
  return pan(
    createSamples(0.06, (t, index) => 0.6 * ring(t) + 0.4 * (click[index] ?? 0)),
    0.35,
  )
}

function crash(random: Random): Stereo {
  const side = (): Float32Array => {
    const ring = metal(2.6, random, 4200, 0.75)
    return ring.map((value, index) => value * Math.min(1, (ring.length - index) / 4000))
  }
  return { left: side(), right: side() }
}

/** Renders an inharmonic metallic sound. */
function metal(seconds: number, random: Random, low: number, decay: number): Float32Array {
  const filter = createFilter('high')
  const pitches = [2043, 3061, 3664, 4192, 5411, 8043]
  return createSamples(seconds, (t) => {
    const ring = pitches.reduce((sum, pitch) => sum + Math.sign(Math.sin(2 * Math.PI * pitch * t)), 0) / pitches.length
    return filter(ring * 0.6 + (random.next() * 2 - 1) * 0.55, low, 0.8) * fall(t, decay) * Math.min(1, t * 4000)
  })
}
