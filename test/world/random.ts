/** A seeded random source: the same seed produces the same choices. */
export type Random = {
  /** Returns a number from 0 to 1, 1 excluded. */
  next(): number
  /** Returns a whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  pick<T>(choices: readonly T[]): T
  chance(probability: number): boolean
  /** Returns an independent source for one purpose. Its choices do not affect the choices of this source. */
  fork(purpose: string): Random
}

const hash = (seed: number, text: string): number => {
  let value = seed >>> 0
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}

/** Creates a source that uses mulberry32, with 32 bits of state. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (choices) => {
      if (choices.length === 0) throw new Error('nothing to choose from')
      return choices[Math.floor(next() * choices.length)]!
    },
    chance: (probability) => next() < probability,
    fork: (purpose) => createRandom(hash(seed, purpose)),
  }
}

export const shuffle = <T>(random: Random, items: readonly T[]): T[] => {
  const remaining = [...items]
  return items.flatMap(() => remaining.splice(random.between(0, remaining.length - 1), 1))
}
