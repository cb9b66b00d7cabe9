import { ProviderError } from './fault.ts'

/** Options of every provider call: its deadline, and the id that identifies it in the logs of both sides. */
export type ProviderCall = {
  deadline: Date
  requestId: string
  /** Aborts the call before its deadline. */
  signal?: AbortSignal | undefined
}

/** Milliseconds until the deadline of a call; 0 after it. */
export function timeLeft({ deadline, signal }: ProviderCall, now: number): number {
  return signal?.aborted === true ? 0 : Math.max(0, deadline.getTime() - now)
}

/**
 * Runs the work until the deadline of the call. Then the signal aborts the work, and the call rejects with `timeout` without
 * waiting for the work to end.
 */
export async function untilDeadline<T>(call: ProviderCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new ProviderError('timeout', 'the time of the call is over')
  const leftMs = timeLeft(call, Date.now())
  if (leftMs === 0) throw late
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(), leftMs)
  const signal = call.signal === undefined ? clock.signal : AbortSignal.any([call.signal, clock.signal])
  const isOver = new AbortController()
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(late), { once: true, signal: isOver.signal })
  })
  try {
    return await Promise.race([work(signal), over])
  } finally {
    clearTimeout(timer)
    isOver.abort()
  }
}
