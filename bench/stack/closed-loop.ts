export type Loop = {
  /** Number of clients. Each starts its next piece of work when the previous one has ended. */
  clients: number
  /** Minimum duration of the window in which the rate is measured. It is extended until two pieces of work per client end. */
  windowMs: number
}

export type LoopResult = {
  /** Pieces of work per second in the window, which starts once one piece per client has ended. */
  perSecond: number
  /** Number of pieces that ended, including those before and after the window. */
  ended: number
}

/** Runs a closed loop of clients. Rejects with the first piece of work that fails. */
export async function runClosedLoop({ clients, windowMs }: Loop, work: () => Promise<void>): Promise<LoopResult> {
  const stop = new AbortController()
  let [ended, openedAt, perSecond] = [0, Number.NaN, Number.NaN]
  const recordEnd = (): void => {
    ended++
    const now = performance.now()
    if (ended === clients) openedAt = now
    const endedInWindow = ended - clients
    if (stop.signal.aborted || endedInWindow < 2 * clients || now - openedAt < windowMs) return
    perSecond = (1000 * endedInWindow) / (now - openedAt)
    stop.abort()
  }
  const client = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await work()
      recordEnd()
    }
  }
  try {
    await Promise.all(Array.from({ length: clients }, client))
  } finally {
    stop.abort()
  }
  return { perSecond, ended }
}
