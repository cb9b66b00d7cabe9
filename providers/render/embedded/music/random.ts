import { hashText } from '../../../../domain/fields/hash.ts'

/** Creates a source of pseudorandom numbers (Mulberry32). The same name gives the same sequence. */
export function createRandom(name: string) {
  let state = hashText(name)
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low: number, high: number): number => low + next() * (high - low),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
  }
}
