import { setTimeout as pause } from 'node:timers/promises'

/** Asks until the answer is not undefined, or fails with `what` when the time is over. */
export const eventually = async <T>(
  what: string,
  check: () => Promise<T | undefined>,
  deadlineMs = 60_000,
): Promise<T> => {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const answer = await check()
    if (answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await pause(25)
  }
}
