import { sampleRate } from './signal.ts'

/** Delays of the comb filters of Freeverb, in samples at 44,100 Hz. The right channel has `spread` more. */
const delays = [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617]
const spread = 23

/**
 * Creates the room of a track: a reverb of `size` 0 to 1, and echoes in both channels, the right ones later. The result
 * returns the next sample of the left and the right channel.
 */
export function createSpace(size: number, echoSeconds: number): (input: number) => readonly [number, number] {
  const [left, right] = [0, spread].map((shift) => {
    const combs = delays.map((length) => createComb(length + shift, 0.7 + 0.26 * size, 0.35))
    const echo = createComb(echoSeconds * sampleRate * (shift === 0 ? 1 : 1.5), 0.35, 0.5)
    return (input: number): number => {
      let sum = echo(input * 0.5)
      for (const comb of combs) sum += comb(input * 0.03)
      return sum
    }
  })
  return (input) => [left?.(input) ?? 0, right?.(input) ?? 0]
}

/** Creates a delay whose output is fed back with less level and less treble. */
function createComb(samples: number, feedback: number, damping: number): (input: number) => number {
  const ring = new Float32Array(Math.round(samples))
  let [at, damped] = [0, 0]
  return (input) => {
    const out = ring[at] ?? 0
    damped = out * (1 - damping) + damped * damping
    ring[at] = input + damped * feedback
    at = at + 1 === ring.length ? 0 : at + 1
    return out
  }
}
