import { sampleRate } from './signal.ts'

/** Delays of the comb and all-pass filters, in samples at 44,100 Hz. */
const combs = [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617] as const
const allpasses = [556, 441, 341, 225] as const
/** Additional delay of the right channel, in samples. */
const stereoSpread = 23

/** Creates a reverb (Freeverb, a Schroeder reverb) of a mono input in a room of `size` 0 to 1. */
export function createRoom(size: number) {
  const [left, right] = [createSide(size, 0), createSide(size, stereoSpread)]
  return (input: Float32Array, outLeft: Float32Array, outRight: Float32Array): void => {
    for (let index = 0; index < input.length; index++) {
      const sample = (input[index] ?? 0) * 0.03
      outLeft[index] = (outLeft[index] ?? 0) + left(sample)
      outRight[index] = (outRight[index] ?? 0) + right(sample)
    }
  }
}

/** Creates a ping-pong delay with echoes that lose level and high frequencies. */
export function createEcho(seconds: number, feedback: number) {
  const length = Math.round(seconds * sampleRate)
  const [first, second] = [new Float32Array(length), new Float32Array(length)]
  let [at, damped] = [0, 0]
  return (input: Float32Array, outLeft: Float32Array, outRight: Float32Array): void => {
    for (let sample = 0; sample < input.length; sample++) {
      const [l, r] = [first[at] ?? 0, second[at] ?? 0]
      damped = damped * 0.6 + r * 0.4
      first[at] = (input[sample] ?? 0) + damped * feedback
      second[at] = l * feedback
      outLeft[sample] = (outLeft[sample] ?? 0) + l
      outRight[sample] = (outRight[sample] ?? 0) + r
      at = at + 1 === length ? 0 : at + 1
    }
  }
}

function createSide(size: number, shift: number): (input: number) => number {
  const combFilters = combs.map((length) => createComb(length + shift, 0.7 + 0.26 * size, 0.35))
  const allpassFilters = allpasses.map((length) => createAllpass(length + shift))
  return (input) => {
    let sum = 0
    for (const combFilter of combFilters) sum += combFilter(input)
    for (const allpassFilter of allpassFilters) sum = allpassFilter(sum)
    return sum
  }
}

function createComb(length: number, feedback: number, damping: number): (input: number) => number {
  const ring = new Float32Array(length)
  let [at, damped] = [0, 0]
  return (input) => {
    const out = ring[at] ?? 0
    damped = out * (1 - damping) + damped * damping
    ring[at] = input + damped * feedback
    at = at + 1 === length ? 0 : at + 1
    return out
  }
}

function createAllpass(length: number): (input: number) => number {
  const ring = new Float32Array(length)
  let index = 0
  return (input) => {
    const delayed = ring[index] ?? 0
    ring[index] = input + delayed * 0.5
    index = index + 1 === length ? 0 : index + 1
    return delayed - input
  }
}
