/** Returns a signal that aborts after a timeout, unless `stop` is called first. */
export function startTimeout(ms: number, message: string): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(message)), ms)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}
