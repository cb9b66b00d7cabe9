import { sampleRate, type Stereo } from '../sound/signal.ts'

type Coefficients = { b: readonly [number, number, number]; a: readonly [number, number] }

const hop = Math.round(sampleRate / 10)
const hopsPerBlock = 4

/** Returns the integrated loudness in LUFS, with the gates of BS.1770. */
export function measureLoudness(track: Stereo): number {
  const powers = measurePowers(track)
  const blocks = powers
    .slice(0, Math.max(1, powers.length - hopsPerBlock + 1))
    .map((_, index) => computeMean(powers.slice(index, index + hopsPerBlock)))
  const audible = blocks.filter((power) => toLoudness(power) > -70)
  const gate = toLoudness(computeMean(audible)) - 10
  return toLoudness(computeMean(audible.filter((power) => toLoudness(power) > gate)))
}

/** Returns the K-weighted mean square per tenth of a second, of both channels together. */
function measurePowers({ left, right }: Stereo): number[] {
  const powers = Array.from({ length: Math.max(1, Math.ceil(left.length / hop)) }, () => 0)
  for (const samples of [left, right]) {
    const [head, low] = [createBiquad(shelf()), createBiquad(highPass())]
    for (let index = 0; index < samples.length; index++) {
      const weighted = low(head(samples[index] ?? 0))
      const place = Math.floor(index / hop)
      powers[place] = (powers[place] ?? 0) + (weighted * weighted) / hop
    }
  }
  return powers
}

function createBiquad({ b, a }: Coefficients): (input: number) => number {
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  return (input) => {
    const out = b[0] * input + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2
    x2 = x1
    x1 = input
    y2 = y1
    y1 = out
    return out
  }
}

/** First filter of the K-weighting of ITU-R BS.1770, for any sample rate. The second is `highPass`. */
function shelf(): Coefficients {
  const [gain, q, k] = [3.999843853973347, 0.7071752369554196, Math.tan((Math.PI * 1681.974450955533) / sampleRate)]
  const high = 10 ** (gain / 20)
  const band = high ** 0.4996667741545416
  const scale = 1 + k / q + k * k
  return {
    b: [(high + (band * k) / q + k * k) / scale, (2 * (k * k - high)) / scale, (high - (band * k) / q + k * k) / scale],
    a: [(2 * (k * k - 1)) / scale, (1 - k / q + k * k) / scale],
  }
}

function highPass(): Coefficients {
  const [q, k] = [0.5003270373238773, Math.tan((Math.PI * 38.13547087602444) / sampleRate)]
  const scale = 1 + k / q + k * k
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / scale, (1 - k / q + k * k) / scale] }
}

function computeMean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function toLoudness(power: number): number {
  return -0.691 + 10 * Math.log10(Math.max(power, 1e-12))
}
