import { createRandom } from '../random.ts'

/** Sample rate of all sounds, in hertz. */
export const sampleRate = 44_100

/**
 * Sines whose phase is modulated by another sine. Times are in seconds, rates per second. `ratio`: frequency of the modulator
 * relative to the pitch; 1 gives all harmonics, 2 the odd ones, a fraction a bell. `depth`: modulation at the start of a note;
 * more is brighter. `hold`: share of it that remains. `dim`: rate at which the rest falls. `fall`: rate at which the level
 * falls; 0 gives a constant level with a vibrato.
 */
const voices = {
  keys: { attack: 0.003, release: 0.25, gain: 0.9, ratio: 1, depth: 2, hold: 0.25, dim: 3, fall: 1.6 },
  bell: { attack: 0.002, release: 0.9, gain: 0.6, ratio: 3.507, depth: 1.3, hold: 0.1, dim: 5, fall: 2.4 },
  flute: { attack: 0.04, release: 0.1, gain: 0.7, ratio: 1, depth: 0.7, hold: 0.7, dim: 8, fall: 0 },
  lead: { attack: 0.018, release: 0.1, gain: 0.8, ratio: 1, depth: 2.4, hold: 0.6, dim: 4, fall: 0 },
  pad: { attack: 0.2, release: 0.5, gain: 0.7, ratio: 1, depth: 1.4, hold: 1, dim: 0, fall: 0 },
  pluck: { attack: 0.002, release: 0.12, gain: 1.2, ratio: 1, depth: 4, hold: 0.1, dim: 12, fall: 5 },
  guitar: { attack: 0.002, release: 0.15, gain: 1, ratio: 3, depth: 2, hold: 0.25, dim: 6, fall: 2.2 },
  bass: { attack: 0.004, release: 0.04, gain: 1.1, ratio: 1, depth: 3.4, hold: 0.35, dim: 9, fall: 0.5 },
  sub: { attack: 0.004, release: 0.08, gain: 1.1, ratio: 2, depth: 1, hold: 0.5, dim: 4, fall: 0.9 },
}

/**
 * `tone`: sine whose frequency falls from the first to the second value, in hertz. `noise`: noise above a frequency. Both end
 * with the time constant of their level, in seconds, and the level.
 */
const drums = {
  kick: { tone: [190, 47, 0.16, 2.2], noise: [2500, 0.003, 0.4] },
  snare: { tone: [260, 185, 0.07, 0.8], noise: [1600, 0.085, 0.95] },
  clap: { tone: [1000, 900, 0.01, 0.2], noise: [1000, 0.075, 0.75] },
  rim: { tone: [1750, 1680, 0.012, 0.35], noise: [900, 0.004, 0.25] },
  hat: { tone: [0, 0, 0.001, 0], noise: [7800, 0.02, 0.5] },
  openHat: { tone: [0, 0, 0.001, 0], noise: [6800, 0.12, 0.38] },
  shaker: { tone: [0, 0, 0.001, 0], noise: [6200, 0.028, 0.35] },
  crash: { tone: [0, 0, 0.001, 0], noise: [4200, 0.75, 0.8] },
} as const

export type Voice = keyof typeof voices
export type Drum = keyof typeof drums
export type Sound = Voice | Drum

type Note = { sound: Sound; midi: number; seconds: number; velocity: number }

/** Renders a note from the attack to the end of the release. All hits of a drum have the same samples. */
export function renderSound({ sound, ...note }: Note): Float32Array {
  return sound in drums ? renderDrum(sound as Drum) : renderVoice(sound as Voice, note)
}

function renderVoice(voice: Voice, note: Omit<Note, 'sound'>): Float32Array {
  const { attack, release, gain, ratio, depth, hold, dim, fall } = voices[voice]
  const seconds = note.seconds + release
  const brightness = depth * (0.4 + 0.6 * note.velocity)
  const step = (2 * Math.PI * 440 * 2 ** ((note.midi - 69) / 12)) / sampleRate
  let phase = 0
  return createSamples(seconds, (t) => {
    phase += fall > 0 ? step : step * (1 + 0.004 * Math.sin(2 * Math.PI * 5 * t) * Math.min(1, t * 2))
    const modulation = brightness * (hold + (1 - hold) * Math.exp(-t * dim)) * Math.sin(phase * ratio)
    return gain * Math.sin(phase + modulation) * Math.exp(-t * fall) * Math.min(1, t / attack, (seconds - t) / release)
  })
}

const dropSeconds = 0.028

function renderDrum(drum: Drum): Float32Array {
  const [from, to, toneFall, toneLevel] = drums[drum].tone
  const [above, noiseFall, noiseLevel] = drums[drum].noise
  const { between } = createRandom(drum)
  const share = Math.exp((-2 * Math.PI * above) / sampleRate)
  const seconds = 5 * Math.max(toneFall, noiseFall)
  let low = 0
  return createSamples(seconds, (t) => {
    // The phase is the integral of a frequency that falls exponentially.
    const cycles = to * t + (from - to) * dropSeconds * (1 - Math.exp(-t / dropSeconds))
    const white = between(-1, 1)
    low = white * (1 - share) + low * share
    const tone = toneLevel * Math.sin(2 * Math.PI * cycles) * Math.exp(-t / toneFall)
    const noise = noiseLevel * (white - low) * Math.exp(-t / noiseFall)
    return Math.tanh(tone + noise) * Math.min(1, (seconds - t) * 40)
  })
}

function createSamples(seconds: number, sample: (t: number) => number): Float32Array {
  return new Float32Array(Math.round(seconds * sampleRate)).map((_, index) => sample(index / sampleRate))
}
