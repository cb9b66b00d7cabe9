/** Returns a signal that aborts after a timeout, unless it is stopped. */
export function startClock(ms: number, message: string): { signal: AbortSignal; stop(): void } {
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(new Error(message)), ms)
  return { signal: clock.signal, stop: () => clearTimeout(timer) }
}
