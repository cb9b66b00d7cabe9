import { measureLoudness } from './loudness.ts'
import { createFilter, sampleRate, type Stereo } from '../sound/signal.ts'

/** Target loudness of streaming services, in LUFS. */
const targetLoudness = -14
/** Maximum peak. The headroom is for overshoot of the encoder. */
const ceiling = 10 ** (-1.5 / 20)
const lookahead = Math.round(0.004 * sampleRate)
const releaseSeconds = 0.09
const fadeSeconds = 1.2

/** Normalizes a mix to the target loudness in place, without clipping. Returns the measured loudness in LUFS. */
export function master(track: Stereo): number {
  removeLowFrequencies(track.left)
  if (track.right !== track.left) removeLowFrequencies(track.right)
  fade(track)
  // The second round compensates for the gain reduction of the limiter.
  for (let round = 0; round < 2; round++) {
    scale(track, 10 ** ((targetLoudness - measureLoudness(track)) / 20))
    if (round === 0) saturate(track)
    limit(track)
  }
  return measureLoudness(track)
}

function removeLowFrequencies(samples: Float32Array): void {
  const filter = createFilter('high')
  for (let index = 0; index < samples.length; index++) samples[index] = filter(samples[index] ?? 0, 28, 0.7)
}

function fade({ left, right }: Stereo): void {
  const length = Math.min(Math.round(fadeSeconds * sampleRate), Math.floor(left.length / 4))
  for (const samples of [left, right])
    for (let index = 0; index < length; index++) {
      const place = samples.length - 1 - index
      samples[place] = (samples[place] ?? 0) * Math.sin((Math.PI / 2) * (index / length)) ** 2
    }
}

function scale({ left, right }: Stereo, gain: number): void {
  for (const samples of [left, right])
    for (let index = 0; index < samples.length; index++) samples[index] = (samples[index] ?? 0) * gain
}

/** Applies soft clipping, like tape saturation, which creates headroom. */
function saturate({ left, right }: Stereo): void {
  for (const samples of [left, right])
    for (let index = 0; index < samples.length; index++) samples[index] = Math.tanh((samples[index] ?? 0) * 1.15) / 1.15
}

/** Applies a look-ahead limiter, which lowers the gain before each peak. No sample exceeds the ceiling. */
function limit({ left, right }: Stereo): void {
  const length = left.length
  const release = Math.exp(-1 / (releaseSeconds * sampleRate))
  const maxGains = new Float32Array(length)
  for (let index = 0; index < length; index++)
    maxGains[index] = Math.min(1, ceiling / Math.max(1e-9, Math.abs(left[index] ?? 0), Math.abs(right[index] ?? 0)))
  // Iterating backwards makes the gain fall linearly before each peak.
  for (let index = length - 2; index >= 0; index--)
    maxGains[index] = Math.min(
      maxGains[index] ?? 1,
      (maxGains[index + 1] ?? 1) + (1 - (maxGains[index + 1] ?? 1)) / lookahead,
    )
  let gain = 1
  for (let index = 0; index < length; index++) {
    gain = Math.min(maxGains[index] ?? 1, 1 - (1 - gain) * release)
    left[index] = (left[index] ?? 0) * gain
    right[index] = (right[index] ?? 0) * gain
  }
}
