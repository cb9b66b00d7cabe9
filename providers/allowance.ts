/** Allows `max` uses within any `perMs` milliseconds. `take` counts a use, or returns false if the limit is reached. */
export function createAllowance(max: number, perMs: number): { take(): boolean } {
  let uses: number[] = []
  return {
    take: () => {
      const now = Date.now()
      uses = uses.filter((use) => use > now - perMs)
      if (uses.length >= max) return false
      uses.push(now)
      return true
    },
  }
}
