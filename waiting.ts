import { setTimeout as pause } from 'node:timers/promises'

const everyMs = 500

/** Resolves when nothing is in the way any more. Says once what it waits for, and again when that changes. */
export async function waitUntilClear(
  obstacle: () => Promise<string | undefined>,
  say: (what: string) => void,
): Promise<void> {
  let said: string | undefined
  for (;;) {
    const reason = await obstacle()
    if (reason === undefined) return
    if (reason !== said) say(`waiting: ${reason}`)
    said = reason
    await pause(everyMs)
  }
}
