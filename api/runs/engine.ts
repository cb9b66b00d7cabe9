import { setTimeout as pause } from 'node:timers/promises'
import type { ApiDeps } from '../deps.ts'

const pollMs = 100

/** Waits in the background for the start of a stored run's workflow. The sweeper repeats a failed start. */
export function watchStart({ log }: Pick<ApiDeps, 'log'>, runId: string, starting: Promise<unknown>): void {
  starting.catch((error: unknown) => {
    log.warn({ err: error, runId }, 'failed to start a run; it stays queued and is started later')
  })
}

/** Delivers a recorded stop to Temporal. Returns false when Temporal is unavailable; the sweeper then delivers it. */
export async function cancelRun({ engine, log }: Pick<ApiDeps, 'engine' | 'log'>, runId: string): Promise<boolean> {
  try {
    await engine.cancel(runId)
    return true
  } catch (error) {
    log.warn({ err: error, runId }, 'failed to cancel a run; the sweeper delivers the stop')
    return false
  }
}

/** Polls `look` until it returns true or the deadline passes. Returns its last result. */
export async function untilTrue(look: () => Promise<boolean>, deadline: number): Promise<boolean> {
  for (;;) {
    if (await look()) return true
    if (Date.now() >= deadline) return false
    await pause(pollMs)
  }
}
