import { sampleRate, type Stereo } from './signal.ts'

/** Target loudness of streaming services, in LUFS. */
const targetLoudness = -14
/** Maximum peak. The headroom is for overshoot of the encoder. */
const ceiling = 10 ** (-1.5 / 20)
const lookahead = Math.round(0.004 * sampleRate)
const releaseSeconds = 0.09
const fadeSeconds = 1.2

/** Normalizes a mix to the target loudness in place, without clipping. Returns the measured loudness in LUFS. */
export function master(track: Stereo): number {
  const fade = Math.min(fadeSeconds * sampleRate, track.left.length / 4)
  for (const samples of [track.left, track.right])
    change(samples, (value, index) => value * Math.min(1, (samples.length - 1 - index) / fade))
  // The second round compensates for the gain reduction of the limiter.
  for (const isFirst of [true, false]) {
    const gain = 10 ** ((targetLoudness - measureLoudness(track)) / 20)
    // Soft clipping creates headroom, like tape saturation.
    for (const samples of [track.left, track.right])
      change(samples, (value) => (isFirst ? Math.tanh(value * gain * 1.15) / 1.15 : value * gain))
    limit(track)
  }
  return measureLoudness(track)
}

function change(samples: Float32Array, next: (value: number, index: number) => number): void {
  for (let index = 0; index < samples.length; index++) samples[index] = next(samples[index] ?? 0, index)
}

/** Applies a look-ahead limiter, which lowers the gain before each peak. No sample exceeds the ceiling. */
function limit({ left, right }: Stereo): void {
  const release = Math.exp(-1 / (releaseSeconds * sampleRate))
  const gains = left.map((value, index) =>
    Math.min(1, ceiling / Math.max(1e-9, Math.abs(value), Math.abs(right[index] ?? 0))),
  )
  // Iterating backwards makes the gain fall linearly before each peak.
  for (let [index, after] = [gains.length - 1, 1]; index >= 0; index--) {
    after = Math.min(gains[index] ?? 1, after + (1 - after) / lookahead)
    gains[index] = after
  }
  let gain = 1
  change(gains, (maxGain) => (gain = Math.min(maxGain, 1 - (1 - gain) * release)))
  for (const samples of [left, right]) change(samples, (value, index) => value * (gains[index] ?? 1))
}

const hop = Math.round(sampleRate / 10)
const hopsPerBlock = 4

/** Coefficients of the two filters of the K-weighting of ITU-R BS.1770 at 44,100 Hz: b0, b1, b2, a1, a2. */
const shelf = [
  1.5308412300503478, -2.6509799951547297, 1.169079079921587, -1.6636551132560204, 0.7125954280732254,
] as const
const highPass = [1, -2, 1, -1.989169673629796, 0.9891990357870393] as const

/** Returns the integrated loudness in LUFS, with the gates of BS.1770. */
function measureLoudness({ left, right }: Stereo): number {
  const powers = new Float64Array(Math.ceil(left.length / hop))
  for (const samples of [left, right]) {
    const [first, second] = [createBiquad(shelf), createBiquad(highPass)]
    for (let index = 0; index < samples.length; index++) {
      const place = Math.floor(index / hop)
      powers[place] = (powers[place] ?? 0) + second(first(samples[index] ?? 0)) ** 2 / hop
    }
  }
  const blocks = Array.from({ length: Math.max(1, powers.length - hopsPerBlock + 1) }, (_, index) =>
    computeMean(powers.subarray(index, index + hopsPerBlock)),
  )
  const audible = blocks.filter((power) => toLoudness(power) > -70)
  const gate = toLoudness(computeMean(audible)) - 10
  return toLoudness(computeMean(audible.filter((power) => toLoudness(power) > gate)))
}

function createBiquad([b0, b1, b2, a1, a2]: readonly [number, number, number, number, number]): (
  input: number,
) => number {
  let [first, second] = [0, 0]
  return (input) => {
    const out = b0 * input + first
    first = b1 * input - a1 * out + second
    second = b2 * input - a2 * out
    return out
  }
}

function computeMean(values: number[] | Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / Math.max(1, values.length)
}

function toLoudness(power: number): number {
  return -0.691 + 10 * Math.log10(Math.max(power, 1e-12))
}
