import { setTimeout as pause } from 'node:timers/promises'

const everyMs = 500

/** Resolves when there is no obstacle. Reports the obstacle when it appears and when it changes. */
export async function waitUntilClear(
  obstacle: () => Promise<string | undefined>,
  report: (text: string) => void,
): Promise<void> {
  let reported: string | undefined
  for (;;) {
    const reason = await obstacle()
    if (reason === undefined) return
    if (reason !== reported) report(`waiting: ${reason}`)
    reported = reason
    await pause(everyMs)
  }
}
