/** What the work comes to, or the reason of the signal when that comes first. */
export function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const end = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', end, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end))
  })
}
