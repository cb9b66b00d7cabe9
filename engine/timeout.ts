/** Error for a Temporal operation that did not complete in time. */
export class EngineTimeoutError extends Error {
  override readonly name = 'EngineTimeoutError'
}

/** Returns the result of the work. Rejects with `EngineTimeoutError` after the timeout; the work may still be running. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EngineTimeoutError(`not done after ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
