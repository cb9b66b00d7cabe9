import { setTimeout as pause } from 'node:timers/promises'

/** Many waits run concurrently, so more frequent checks would slow the work for which they wait. */
const maxWaitMs = 80

/** Calls `check` until it resolves to a defined value. Rejects with the description after `timeoutMs`. */
export const eventually = async <T>(
  description: string,
  check: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs
  let waitMs = 10
  for (;;) {
    const value = await check()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`not in time: ${description}`)
    await pause(waitMs)
    waitMs = Math.min(waitMs * 1.3, maxWaitMs)
  }
}
