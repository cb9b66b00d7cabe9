import { setTimeout } from 'node:timers/promises'

/** Waits; rejects with the reason of the signal when that aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await setTimeout(ms, undefined, { signal }).catch(() => {})
  signal.throwIfAborted()
}
