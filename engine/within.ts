export class EngineTimeoutError extends Error {
  override readonly name = 'EngineTimeoutError'
}

/** Rejects with `EngineTimeoutError` after the time limit; the work may still be running. */
export async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EngineTimeoutError(`not done after ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
