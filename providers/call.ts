import { ProviderError } from './errors/provider-error.ts'

/** Options of every provider call: its deadline, and the id that identifies it in the logs of both sides. */
export type ProviderCall = {
  deadline: Date
  requestId: string
  /** Aborts the call before its deadline. */
  signal?: AbortSignal | undefined
}

/** Returns the milliseconds until the deadline of a call; 0 if the deadline has passed or the call was aborted. */
export function remainingMs({ deadline, signal }: ProviderCall, now: number): number {
  return signal?.aborted === true ? 0 : Math.max(0, deadline.getTime() - now)
}

/**
 * Runs the work until the deadline of the call. At the deadline, or when the call is aborted, aborts the signal and rejects
 * with `timeout` without waiting for the work to end.
 */
export async function runUntilDeadline<T>(call: ProviderCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeoutError = new ProviderError('timeout', 'the call exceeded its deadline')
  const timeoutMs = remainingMs(call, Date.now())
  if (timeoutMs === 0) throw timeoutError
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  const signal = call.signal === undefined ? deadline.signal : AbortSignal.any([call.signal, deadline.signal])
  const finished = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(timeoutError), { once: true, signal: finished.signal })
  })
  try {
    return await Promise.race([work(signal), aborted])
  } finally {
    clearTimeout(timer)
    finished.abort()
  }
}
