import { setTimeout } from 'node:timers/promises'

/** Resolves after `ms`. Rejects with the signal's reason when the signal aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await setTimeout(ms, undefined, { signal }).catch(() => {})
  signal.throwIfAborted()
}
