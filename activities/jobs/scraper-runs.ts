import type { ScraperRequest } from '../../domain/scrapers/requests.ts'
import { ProviderError } from '../../providers/fault.ts'
import { callbackUrl } from '../../providers/scraper/callback.ts'
import type { ActivityDeps } from '../deps.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import { isBusy, providerCall } from '../runtime/provider-call.ts'

type RunDeps = Pick<ActivityDeps, 'scraper' | 'platform' | 'log'>

/**
 * `started`: `ageMs` is the time since the start, for a run that was started earlier. `busy`: nothing was started, and
 * a later attempt may succeed. `refused`: no later attempt succeeds.
 */
export type StartResult =
  | { is: 'started'; ageMs?: number }
  | { is: 'busy'; retryAfterSeconds: number }
  | { is: 'refused' }

/**
 * A run that the database requires, and how to record it: `record` returns false when the run is no longer required.
 */
export type WantedRun = {
  key: string
  request: ScraperRequest
  /** Null until the provider's run id is known. */
  providerRunId: string | null
  record: (providerRunId: string) => Promise<boolean>
}

/** The provider runs of one kind of job, by the ids that its workflow knows them by. */
export type ScraperRuns<Id> = {
  read: (id: Id) => Promise<WantedRun>
  /** Takes a slot and records the intent to call the provider. `isNew`: no earlier attempt has recorded it. */
  announce: (id: Id) => Promise<{ run: WantedRun; isNew: boolean; ageMs: number } | 'full' | 'ended'>
  /** Reverts the intent, because the provider started nothing. */
  withdraw: (id: Id) => Promise<void>
  /** Records that the run succeeded and is charged. */
  recordPaid?: (id: Id) => Promise<unknown>
}

/** Seconds before a run without a free slot first tries again. */
const slotSeconds = 2

const busySeconds = 30

/** The activities that start and poll the provider runs of a kind of job. */
export function createScraperSteps<Id>(
  deps: RunDeps,
  { read, announce, withdraw, recordPaid = async () => {} }: ScraperRuns<Id>,
) {
  return {
    /** Starts the provider's run once, when a slot is free. Safe to run again. */
    start: (id: Id): Promise<StartResult> =>
      withProviderAttempts(async () => {
        const announced = await announce(id)
        if (announced === 'ended') return { is: 'refused' }
        if (announced === 'full') return { is: 'busy', retryAfterSeconds: slotSeconds }
        const { run, isNew, ageMs } = announced
        const started = await startOnce(deps, run, { isNew, withdraw: () => withdraw(id) })
        return started.is === 'started' ? { ...started, ageMs } : started
      }),

    /** Reads the state of the provider's run. Safe to run again. */
    poll: (id: Id): Promise<'running' | 'succeeded' | 'failed'> =>
      withProviderAttempts(async () => {
        const { key, providerRunId } = await read(id)
        if (providerRunId === null) return 'failed'
        try {
          const { state } = await deps.scraper.status(providerRunId, providerCall())
          if (state === 'succeeded') await recordPaid(id)
          if (state === 'succeeded' || state === 'failed') return state
          return state === 'aborted' ? 'failed' : 'running'
        } catch (error) {
          if (isFinal(deps, key, error)) return 'failed'
          throw error
        }
      }),
  }
}

/** Aborts the runs of these rows, and throws the first failure after the others. `isPaid`: the run had succeeded. */
export async function abortRuns<Row>(
  deps: RunDeps,
  rows: readonly Row[],
  toRun: (row: Row) => WantedRun,
  onAborted: (row: Row, isPaid: boolean) => Promise<void> = async () => {},
): Promise<void> {
  const aborted = await Promise.allSettled(rows.map(async (row) => onAborted(row, await abortRun(deps, toRun(row)))))
  for (const result of aborted) if (result.status === 'rejected') throw result.reason
}

/**
 * Aborts a run, even if its id was not recorded. Returns true for a run that had succeeded and is therefore charged.
 */
async function abortRun(
  { scraper }: RunDeps,
  { key, request, providerRunId: known, record }: WantedRun,
): Promise<boolean> {
  const call = providerCall()
  const run = known === null ? await scraper.find(key, request, call) : await scraper.status(known, call)
  if (run === undefined) return false
  const { providerRunId, state } = run
  if (known === null) await record(providerRunId)
  if (state === 'queued' || state === 'running') await scraper.abort(providerRunId, call)
  return state === 'succeeded'
}

/**
 * Starts a run at the provider once: the intent is stored before the request. A run that an earlier attempt may have
 * started is looked up by its key first. A run that is no longer required after its start is aborted, because its own
 * workflow has ended. Throws errors that a retry may resolve.
 */
async function startOnce(
  deps: RunDeps,
  { key, request, providerRunId: known, record }: WantedRun,
  { isNew, withdraw }: { isNew: boolean; withdraw: () => Promise<void> },
): Promise<StartResult> {
  if (known !== null) return { is: 'started' }
  const { scraper, platform } = deps
  const call = providerCall()
  let mayHaveOne = !isNew
  try {
    const found = mayHaveOne ? await scraper.find(key, request, call) : undefined
    mayHaveOne = false
    const run = found ?? (await scraper.start({ key, request, callbackUrl: callbackUrl(platform, key) }, call))
    if (await record(run.providerRunId)) return { is: 'started' }
    await scraper.abort(run.providerRunId, call)
    return { is: 'refused' }
  } catch (error) {
    if (isFinal(deps, key, error)) return { is: 'refused' }
    if (!isBusy(error)) throw error
    if (!mayHaveOne) await withdraw()
    return { is: 'busy', retryAfterSeconds: error.retryAfterSeconds ?? busySeconds }
  }
}

/** True for a failure that a retry cannot change. */
function isFinal({ log }: RunDeps, key: string, error: unknown): boolean {
  if (!(error instanceof ProviderError) || error.isRetryable) return false
  log.error({ err: error, key, alert: error.kind === 'unauthorized' }, 'the scraper rejected a run')
  return true
}
