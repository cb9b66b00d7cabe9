import { setTimeout as pause } from 'node:timers/promises'

/** Calls `check` until it resolves to a defined value. Fails with `what` after the deadline. */
export const eventually = async <T>(
  what: string,
  check: () => Promise<T | undefined>,
  deadlineMs = 60_000,
): Promise<T> => {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const value = await check()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await pause(25)
  }
}
