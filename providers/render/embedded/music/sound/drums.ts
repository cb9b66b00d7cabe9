import { createRandom, hashText } from '../random.ts'
import { createSamples, sampleRate, type Stereo } from './signal.ts'

/** A sine whose frequency falls from `from` to `to` hertz. `fall`: time constant of the level in seconds. */
type Tone = readonly [from: number, to: number, fall: number, level: number]
/** Noise above a frequency. `bursts`: number of short bursts before the last one, 10 ms apart. */
type Noise = readonly [above: number, fall: number, level: number, bursts?: number]
/** `side`: position from -1 (left) to 1. */
type Hit = { side: number; tone?: Tone; noise?: Noise }

const drums = {
  kick: { side: 0, tone: [190, 47, 0.16, 2.2], noise: [2500, 0.003, 0.4] },
  snare: { side: 0, tone: [260, 185, 0.07, 0.8], noise: [1600, 0.085, 0.95] },
  clap: { side: 0, noise: [1000, 0.075, 0.75, 2] },
  tom: { side: -0.3, tone: [165, 98, 0.14, 0.9] },
  rim: { side: 0.35, tone: [1750, 1680, 0.012, 0.35], noise: [900, 0.004, 0.25] },
  hat: { side: 0.22, noise: [7800, 0.02, 0.5] },
  openHat: { side: 0.22, noise: [6800, 0.12, 0.38] },
  ride: { side: -0.3, tone: [5300, 5200, 0.2, 0.04], noise: [5200, 0.2, 0.2] },
  shaker: { side: -0.4, noise: [6200, 0.028, 0.35] },
  crash: { side: 0, noise: [4200, 0.75, 0.8] },
} satisfies Record<string, Hit>

export type Drum = keyof typeof drums

export function isDrum(sound: string): sound is Drum {
  return sound in drums
}

/** Renders a hit. All hits of a drum have the same samples. */
export function renderDrum(drum: Drum): Stereo {
  const { side, tone = [0, 0, 0, 0], noise = [1, 0, 0] }: Hit = drums[drum]
  const seconds = 5 * Math.max(tone[2], noise[1])
  const hiss = createHiss(drum, noise)
  const play = (t: number): number => Math.tanh(sweep(tone, t) + hiss(t)) * Math.min(1, (seconds - t) * 40)
  const samples = createSamples(seconds, play)
  // Panned with constant power.
  const angle = ((side + 1) * Math.PI) / 4
  const [left, right] = [Math.cos(angle) * Math.SQRT2, Math.sin(angle) * Math.SQRT2]
  return { left: samples.map((value) => value * left), right: samples.map((value) => value * right) }
}

const dropSeconds = 0.028

function sweep([from, to, fall, level]: Tone, t: number): number {
  if (level === 0) return 0
  // The phase is the integral of a frequency that falls exponentially.
  const cycles = to * t + (from - to) * dropSeconds * (1 - Math.exp(-t / dropSeconds))
  return level * Math.sin(2 * Math.PI * cycles) * Math.exp(-t / fall)
}

function createHiss(drum: Drum, [above, fall, level, bursts = 0]: Noise): (t: number) => number {
  const random = createRandom(hashText(drum))
  const share = Math.exp((-2 * Math.PI * above) / sampleRate)
  let [low, lower] = [0, 0]
  return (t) => {
    if (level === 0) return 0
    // Two low-pass filters of one pole each, which are subtracted.
    const white = random.next() * 2 - 1
    low = white * (1 - share) + low * share
    lower = (white - low) * (1 - share) + lower * share
    const burst = Math.min(bursts, Math.floor(t / 0.01))
    return (white - low - lower) * level * Math.exp(-(t - burst * 0.01) / (burst < bursts ? 0.006 : fall))
  }
}
