/** Allows `max` uses within any `perMs` milliseconds. `take` returns false, without counting, when they are used up. */
export function createAllowance(max: number, perMs: number): { take(): boolean } {
  let uses: number[] = []
  return {
    take: () => {
      const at = Date.now()
      uses = uses.filter((use) => use > at - perMs)
      if (uses.length >= max) return false
      uses.push(at)
      return true
    },
  }
}
