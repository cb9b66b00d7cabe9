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
  return isUsableLength(actual) ? Math.min(held, musicPrice(actual, creditsPerSecond)) : held
}

/** Whether this is a length that a provider reports. */
export function isUsableLength(seconds: number | null): seconds is number {
  return seconds !== null && Number.isFinite(seconds) && seconds > 0
}

/** Reference of the hold, and of what is booked. */
export function musicReference(generationId: string): string {
  return `music:${generationId}`
}
