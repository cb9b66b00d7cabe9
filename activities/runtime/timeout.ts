/** Timeout of one call. */
type Timeout = {
  /** Aborts with a parent signal, or with an error when the timeout expires. */
  readonly signal: AbortSignal
  hasExpired(): boolean
  /** Returns the result of the work, or rejects when the timeout expires, even if the work ignores the signal. */
  limit<T>(work: () => Promise<T>): Promise<T>
  /** Ends the timeout. The signal no longer aborts. */
  stop(): void
}

/**
 * Starts a timeout whose signal follows the parent signals. A controller with listeners costs a fraction of
 * `AbortSignal.any`, which matters for each step of a turn.
 */
export function startTimeout(ms: number, message: string, ...parents: AbortSignal[]): Timeout {
  const controller = new AbortController()
  let expiry: Error | undefined
  let onExpiry: ((error: Error) => void) | undefined
  const timer = setTimeout(() => {
    expiry = new Error(message)
    controller.abort(expiry)
    onExpiry?.(expiry)
  }, ms)
  const follow = (event: Event): void => controller.abort((event.target as AbortSignal).reason)
  for (const parent of parents) {
    if (parent.aborted) controller.abort(parent.reason)
    else parent.addEventListener('abort', follow)
  }
  return {
    signal: controller.signal,
    hasExpired: () => expiry !== undefined,
    limit: <T>(work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        onExpiry = reject
        if (expiry !== undefined) throw expiry
        work().then(resolve, reject)
      }),
    stop: () => {
      clearTimeout(timer)
      for (const parent of parents) parent.removeEventListener('abort', follow)
    },
  }
}
