/** Numbers that a seed decides (mulberry32). */
export type Random = {
  /** From 0 to below `count`. */
  below(count: number): number
  /** True in that share of cases. */
  chance(share: number): boolean
  oneOf<T>(values: readonly T[]): T
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    chance: (share) => next() < share,
    oneOf: (values) => {
      const value = values[below(values.length)]
      if (value === undefined) throw new RangeError('nothing to choose from')
      return value
    },
  }
}
