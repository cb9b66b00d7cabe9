import { CancellationScope, condition, defineSignal, isCancellation, setHandler, sleep } from '@temporalio/workflow'
import type { Started } from '../../activities/scrapers/provider-runs.ts'
import { providerRunChanged } from './messages.ts'
import { nextPollMs, providerRunLimitMs } from './polling.ts'

/** Whatever the provider is asked, a minute at most. The activity counts failures; these attempts are what lost workers may cost. */
export const ofProvider = {
  startToCloseTimeout: '70s',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 25 },
} as const

/** Runs of which a webhook told since somebody looked. */
export type Changed = Set<number | string>

export function listenForChanges(): Changed {
  const changed: Changed = new Set()
  setHandler(defineSignal<[number | string]>(providerRunChanged), (run) => void changed.add(run))
  return changed
}

/** Asks until the provider has room; false when it refuses, or has had none for as long as a run may take. */
export async function isStarted(start: () => Promise<Started>, patienceMs = providerRunLimitMs): Promise<boolean> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    // Whoever cancels has to know what was started.
    const started = await CancellationScope.nonCancellable(start)
    if (started.is !== 'busy') return started.is === 'started'
    if (Date.now() >= giveUpAt) return false
    await sleep(started.retryAfterSeconds * 1000)
  }
}

/** Follows a run by webhook and by polling to its end; `timeout` when it has had all its time. */
export async function outcomeOf(
  look: () => Promise<'running' | 'succeeded' | 'failed'>,
  { run, changed }: { run: number | string; changed: Changed },
): Promise<'succeeded' | 'failed' | 'timeout'> {
  const since = Date.now()
  for (;;) {
    changed.delete(run)
    // A provider that does not answer now may answer the next time.
    const state = await look().catch((error: unknown) => {
      unlessCancelled(error)
      return 'running' as const
    })
    if (state !== 'running') return state
    const pauseMs = nextPollMs(Date.now() - since)
    if (pauseMs === undefined) return 'timeout'
    await condition(() => changed.has(run), pauseMs)
  }
}

/** Some at a time, in their order. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

export function unlessCancelled(error: unknown): void {
  if (isCancellation(error)) throw error
}
