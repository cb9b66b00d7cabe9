import { createSamples, sampleRate, type Stereo } from './signal.ts'

/** Frequency modulation of a sine by another sine. Times are in seconds, rates per second. */
type Voice = {
  attack: number
  release: number
  gain: number
  /** Frequency of the modulator, relative to the pitch. 1 gives all harmonics, 2 the odd ones, a fraction a bell. */
  ratio: number
  /** Modulation at the start of a note, and the share of it that remains. More modulation is brighter. */
  depth: number
  hold: number
  /** Rate at which the modulation falls. */
  dim: number
  /** Rate at which the level falls. Sounds with a constant level have a vibrato. */
  fall: number
  /** Detuning of the channels in cents. */
  spread: number
}

const voices = {
  keys: { attack: 0.003, release: 0.25, gain: 0.9, ratio: 1, depth: 2, hold: 0.25, dim: 3, fall: 1.6, spread: 2 },
  bell: { attack: 0.002, release: 0.9, gain: 0.6, ratio: 3.507, depth: 1.3, hold: 0.1, dim: 5, fall: 2.4, spread: 3 },
  flute: { attack: 0.04, release: 0.1, gain: 0.7, ratio: 1, depth: 0.7, hold: 0.7, dim: 8, fall: 0, spread: 1 },
  sub: { attack: 0.004, release: 0.08, gain: 1.1, ratio: 2, depth: 1, hold: 0.5, dim: 4, fall: 0.9, spread: 0 },
  softLead: { attack: 0.018, release: 0.1, gain: 0.8, ratio: 1, depth: 2.4, hold: 0.6, dim: 4, fall: 0, spread: 5 },
  warmPad: { attack: 0.25, release: 0.5, gain: 0.7, ratio: 1, depth: 1, hold: 1, dim: 0, fall: 0, spread: 7 },
  strings: { attack: 0.16, release: 0.4, gain: 0.6, ratio: 1, depth: 2.2, hold: 1, dim: 0, fall: 0, spread: 9 },
  stab: { attack: 0.004, release: 0.12, gain: 0.9, ratio: 1, depth: 4, hold: 0.3, dim: 9, fall: 3, spread: 12 },
  bass: { attack: 0.004, release: 0.04, gain: 1.1, ratio: 1, depth: 3.4, hold: 0.35, dim: 9, fall: 0.5, spread: 0 },
  roundBass: {
    attack: 0.006,
    release: 0.05,
    gain: 1.1,
    ratio: 1,
    depth: 1.4,
    hold: 0.3,
    dim: 10,
    fall: 0.5,
    spread: 0,
  },
  pluck: { attack: 0.002, release: 0.12, gain: 1.2, ratio: 1, depth: 4, hold: 0.1, dim: 12, fall: 5, spread: 5 },
  guitar: { attack: 0.002, release: 0.15, gain: 1, ratio: 3, depth: 2, hold: 0.25, dim: 6, fall: 2.2, spread: 4 },
} satisfies Record<string, Voice>

export type Instrument = keyof typeof voices

/** Renders a note, from the attack to the end of the release. */
export function renderNote(instrument: Instrument, note: { midi: number; seconds: number; velocity: number }): Stereo {
  const { attack, release, gain, ratio, depth, hold, dim, fall, spread }: Voice = voices[instrument]
  const seconds = note.seconds + release
  const brightness = depth * (0.4 + 0.6 * note.velocity)
  const renderChannel = (cents: number): Float32Array => {
    const step = (2 * Math.PI * 440 * 2 ** ((note.midi - 69) / 12 + cents / 1200)) / sampleRate
    let phase = 0
    return createSamples(seconds, (t) => {
      phase += fall > 0 ? step : step * (1 + 0.004 * Math.sin(2 * Math.PI * 5 * t) * Math.min(1, t * 2))
      const modulation = brightness * (hold + (1 - hold) * Math.exp(-t * dim)) * Math.sin(phase * ratio)
      return (
        gain * Math.sin(phase + modulation) * Math.exp(-t * fall) * Math.min(1, t / attack, (seconds - t) / release)
      )
    })
  }
  const left = renderChannel(-spread)
  return { left, right: spread === 0 ? left : renderChannel(spread) }
}
