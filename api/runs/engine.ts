import { setTimeout as pause } from 'node:timers/promises'
import type { ApiDeps } from '../deps.ts'

const pollMs = 100

/** Waits, apart from the request, for the engine to take a run that is stored. The sweeper makes a failure good. */
export function watchStart({ log }: Pick<ApiDeps, 'log'>, runId: string, starting: Promise<unknown>): void {
  starting.catch((error: unknown) => {
    log.warn({ err: error, runId }, 'the engine did not take the run; it stays queued and is started later')
  })
}

/** Tells the engine of a stop that is recorded. False when it refuses: the sweeper delivers it. */
export async function cancelRun({ engine, log }: Pick<ApiDeps, 'engine' | 'log'>, runId: string): Promise<boolean> {
  try {
    await engine.cancel(runId)
    return true
  } catch (error) {
    log.warn({ err: error, runId }, 'the engine refused to cancel; the sweeper delivers the stop')
    return false
  }
}

/** What `look` answers last: true, or false when the time is over. */
export async function untilTrue(look: () => Promise<boolean>, deadline: number): Promise<boolean> {
  for (;;) {
    if (await look()) return true
    if (Date.now() >= deadline) return false
    await pause(pollMs)
  }
}
