import { setTimeout } from 'node:timers/promises'

/** Waits. Rejects with the signal's reason when it aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await setTimeout(ms, undefined, { signal }).catch(() => {})
  signal.throwIfAborted()
}
