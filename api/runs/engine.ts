import { setTimeout as pause } from 'node:timers/promises'
import type { RouteDeps, WorkDeps } from '../deps.ts'

type LogDeps = Pick<RouteDeps, 'log'>

const pollIntervalMs = 100

/** Logs a failure of background work. */
export function logFailure({ log }: LogDeps, work: Promise<unknown>, fields: object, message: string): void {
  work.catch((err: unknown) => log.warn({ err, ...fields }, message))
}

/** Logs the failure of `start`, which starts the workflow of a stored run. The sweeper retries the start. */
export function logFailedStart(deps: LogDeps, runId: string, start: Promise<unknown>): void {
  logFailure(deps, start, { runId }, 'failed to start a run; it stays queued and is started later')
}

/** Cancels the workflow of a run whose stop is recorded. Returns false if this fails; the sweeper then retries it. */
export async function cancelRun({ engine, log }: Pick<WorkDeps, 'engine' | 'log'>, runId: string): Promise<boolean> {
  try {
    await engine.cancel(runId)
    return true
  } catch (error) {
    log.warn({ err: error, runId }, 'failed to cancel the workflow of a run; the sweeper retries it')
    return false
  }
}

/** Polls `check` until it returns true or the deadline (Unix ms) has passed. Returns the last result of `check`. */
export async function untilTrue(check: () => Promise<boolean>, deadline: number): Promise<boolean> {
  for (;;) {
    if (await check()) return true
    if (Date.now() >= deadline) return false
    await pause(pollIntervalMs)
  }
}
