export type Loop = {
  /** Clients that each begin the next piece of work when theirs has ended. */
  clients: number
  /** The window in which the rate is measured lasts at least so long, and until every client has ended two pieces. */
  windowMs: number
}

export type LoopResult = {
  /** Pieces of work a second in the window, which begins once every client could have ended one. */
  perSecond: number
  /** All pieces that ended, those before and after the window too. */
  ended: number
}

/** Runs a closed loop of clients. Rejects with the first piece of work that fails. */
export async function runClosedLoop({ clients, windowMs }: Loop, work: () => Promise<void>): Promise<LoopResult> {
  const over = new AbortController()
  let [ended, openedAt, perSecond] = [0, Number.NaN, Number.NaN]
  const count = (): void => {
    ended++
    const now = performance.now()
    if (ended === clients) openedAt = now
    const counted = ended - clients
    if (over.signal.aborted || counted < 2 * clients || now - openedAt < windowMs) return
    perSecond = (1000 * counted) / (now - openedAt)
    over.abort()
  }
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await work()
      count()
    }
  }
  try {
    await Promise.all(Array.from({ length: clients }, client))
  } finally {
    over.abort()
  }
  return { perSecond, ended }
}
