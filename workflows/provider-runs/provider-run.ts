import { CancellationScope, CancelledFailure, isCancellation, sleep } from '@temporalio/workflow'
import type { StartResult } from '../../activities/jobs/scraper-runs.ts'
import { nextPollMs, nextStartMs, providerRunTimeoutMs } from './polling.ts'
import type { RunWaits } from './waits.ts'

/** A provider call takes at most one minute. The activity counts its failures; these attempts cover lost workers. */
export const providerActivityOptions = {
  startToCloseTimeout: '70s',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 25 },
} as const

/** Options of calls whose failure either fails the work or lets a provider run continue until its time limit. */
export const fiveAttempts = {
  ...providerActivityOptions,
  retry: { ...providerActivityOptions.retry, maximumAttempts: 5 },
} as const

type StartLimits = {
  /** Time in epoch milliseconds after which a busy provider is treated as a refusal. */
  deadline?: number
  /** Waits before the next attempt, at most for the given time; a signal about a free slot may end the wait. */
  pause?: (ms: number) => Promise<void>
}

/**
 * Starts a run as soon as the provider has a free slot. Returns the age of the run in milliseconds, or undefined if no run
 * could be started.
 */
export async function startWhenRoom(
  start: () => Promise<StartResult>,
  { deadline = Date.now() + providerRunTimeoutMs, pause = sleep }: StartLimits = {},
): Promise<number | undefined> {
  for (let refusals = 0; ; refusals++) {
    if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('cancelled before a start')
    // Not cancellable, because the cleanup must know the started run.
    const result = await CancellationScope.nonCancellable(start)
    if (result.is === 'started') return result.ageMs ?? 0
    if (result.is === 'refused' || Date.now() >= deadline) return undefined
    await pause(nextStartMs(result.retryAfterSeconds, refusals))
  }
}

/** Follows a run by webhook and by polling to its end. Returns `timeout` when it reaches its time limit. */
export async function followRun(
  poll: () => Promise<'running' | 'succeeded' | 'failed'>,
  { run, ageMs, waits }: { run: number | string; ageMs: number; waits: RunWaits },
): Promise<'succeeded' | 'failed' | 'timeout'> {
  const startedAt = Date.now() - ageMs
  for (;;) {
    waits.clearSignals(run)
    // A provider that does not respond now may respond to the next poll.
    const state = await poll().catch((error: unknown) => {
      rethrowIfCancelled(error)
      return 'running' as const
    })
    if (state !== 'running') return state
    const pauseMs = nextPollMs(Date.now() - startedAt)
    if (pauseMs === undefined) return 'timeout'
    await waits.waitForWebhook(run, pauseMs)
  }
}

export function rethrowIfCancelled(error: unknown): void {
  if (isCancellation(error)) throw error
}
