/** Resolves with the result of the work, or rejects with the signal's reason if it aborts first. */
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
