/** Returns the result of the work, or rejects with the signal's reason if the signal aborts first. */
export function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}
