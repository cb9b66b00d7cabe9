/** Credits of this many seconds at a rate in credits per second: settled to six decimals, then floored; 0 for none. */
export function musicPrice(seconds: number, creditsPerSecond: number): number {
  return seconds > 0 ? Math.floor(Number((seconds * creditsPerSecond).toFixed(6))) : 0
}

/**
 * Credits that a completed generation costs: never more than was held. Where the provider reports no usable length, the
 * price of the requested one.
 */
export function musicCharge(requested: number, actual: number | null, creditsPerSecond: number): number {
  const held = musicPrice(requested, creditsPerSecond)
  const isUsable = actual !== null && Number.isFinite(actual) && actual > 0
  return isUsable ? Math.min(held, musicPrice(actual, creditsPerSecond)) : held
}

/** Reference of the hold, and of what is booked. */
export function musicReference(generationId: string): string {
  return `music:${generationId}`
}

export const musicHoldSeconds = 2 * 60 * 60
