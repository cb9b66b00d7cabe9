/** Returns the credits for a duration at a rate per second, rounded to six decimals and then down. */
export function musicPrice(seconds: number, creditsPerSecond: number): number {
  return seconds > 0 ? Math.floor(Number((seconds * creditsPerSecond).toFixed(6))) : 0
}

/**
 * Returns the credits for a completed generation, at most the held amount. Without a usable length from the provider, the
 * requested length is charged.
 */
export function musicCharge(requestedSeconds: number, actualSeconds: number | null, creditsPerSecond: number): number {
  const maxCredits = musicPrice(requestedSeconds, creditsPerSecond)
  return isUsableLength(actualSeconds) ? Math.min(maxCredits, musicPrice(actualSeconds, creditsPerSecond)) : maxCredits
}

/** Returns whether a provider has reported a usable length. */
export function isUsableLength(seconds: number | null): seconds is number {
  return seconds !== null && Number.isFinite(seconds) && seconds > 0
}

/** Returns the reference of the hold and its debit. */
export function musicReference(generationId: string): string {
  return `music:${generationId}`
}
