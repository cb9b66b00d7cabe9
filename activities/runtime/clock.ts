/** A signal that aborts after a time, until it is stopped. */
export function startClock(ms: number, message: string): { signal: AbortSignal; stop(): void } {
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(new Error(message)), ms)
  return { signal: clock.signal, stop: () => clearTimeout(timer) }
}
