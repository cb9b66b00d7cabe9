import { ProviderFault } from './fault.ts'

/** What every call to a provider carries: its end, and the id under which the logs of both sides name it. */
export type ProviderCall = {
  deadline: Date
  requestId: string
  /** Ends the call before its deadline. */
  signal?: AbortSignal | undefined
}

/** Milliseconds that are left of a call; 0 when none are. */
export function timeLeft({ deadline, signal }: ProviderCall, now: number): number {
  return signal?.aborted === true ? 0 : Math.max(0, deadline.getTime() - now)
}

/**
 * Runs the work until the call's deadline. Then the signal aborts the work, and the caller gets a `timeout` without waiting
 * for the work to react.
 */
export async function untilDeadline<T>(call: ProviderCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new ProviderFault('timeout', 'the time of the call is over')
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
