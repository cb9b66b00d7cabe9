/** Sample rate of all sounds, in hertz. */
export const sampleRate = 44_100

/** A stereo signal. Both channels have the same length and may be the same array. Samples are roughly between -1 and 1. */
export type Stereo = { left: Float32Array; right: Float32Array }

export function toFrequency(midi: number): number {
  return 440 * 2 ** ((midi - 69) / 12)
}

export function mono(samples: Float32Array): Stereo {
  return { left: samples, right: samples }
}

/** Creates a signal. `sample` receives the time in seconds and the index of each sample. */
export function createSamples(seconds: number, sample: (t: number, index: number) => number): Float32Array {
  const samples = new Float32Array(Math.max(1, Math.round(seconds * sampleRate)))
  for (let index = 0; index < samples.length; index++) samples[index] = sample(index / sampleRate, index)
  return samples
}

/** Returns the level of an envelope that rises for `attack` seconds and falls in the last `release` seconds. */
export function envelope(t: number, seconds: number, attack: number, release: number): number {
  return Math.min(1, t / attack, Math.max(0, (seconds - t) / release))
}

/** Creates a sawtooth oscillator. Each call returns the next sample at the given frequency. */
export function createSaw(startPhase: number): (frequency: number) => number {
  let phase = startPhase % 1
  return (frequency) => {
    const step = frequency / sampleRate
    const value = 2 * phase - 1 - correctDiscontinuity(phase, step)
    phase += step
    if (phase >= 1) phase -= 1
    return value
  }
}

/** Creates a square oscillator. Each call returns the next sample at the given frequency. */
export function createSquare(startPhase: number, width = 0.5): (frequency: number) => number {
  const [up, down] = [createSaw(startPhase), createSaw(startPhase + width)]
  return (frequency) => (up(frequency) - down(frequency)) * 0.5
}

/** Creates a state-variable filter with a slope of 12 dB per octave. `q`: 0.5 has no resonance, 5 rings. */
export function createFilter(kind: 'low' | 'band' | 'high'): (input: number, cutoff: number, q: number) => number {
  let [first, second, tunedCutoff, g] = [0, 0, -1, 0]
  return (input, cutoff, q) => {
    if (cutoff !== tunedCutoff) {
      tunedCutoff = cutoff
      g = Math.tan((Math.PI * Math.min(cutoff, sampleRate * 0.45)) / sampleRate)
    }
    const k = 1 / q
    const high = (input - (g + k) * first - second) / (1 + g * (g + k))
    const band = g * high + first
    const low = g * band + second
    first = g * high + band
    second = g * band + low
    return kind === 'low' ? low : kind === 'band' ? band : high
  }
}

/** Pans a mono signal with constant power: -1 is left, 1 is right. */
export function pan(samples: Float32Array, side: number): Stereo {
  const angle = ((side + 1) * Math.PI) / 4
  const [l, r] = [Math.cos(angle) * Math.SQRT2, Math.sin(angle) * Math.SQRT2]
  return { left: samples.map((value) => value * l), right: samples.map((value) => value * r) }
}

/** Returns the PolyBLEP correction at the discontinuity of a wave, which reduces aliasing. */
function correctDiscontinuity(phase: number, step: number): number {
  if (phase < step) {
    const x = phase / step
    return x + x - x * x - 1
  }
  if (phase > 1 - step) {
    const x = (phase - 1) / step
    return x * x + x + x + 1
  }
  return 0
}
