import type { ScraperRequest } from '../../domain/scrapers/requests.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { buildCallbackUrl } from '../../providers/scraper/callback.ts'
import type { ScraperPort } from '../../providers/scraper/index.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import { isBusy, providerCall } from '../runtime/provider-call.ts'
import type { PlatformDeps } from '../deps.ts'

export type ScraperDeps = PlatformDeps & {
  scraper: ScraperPort
  /** Maximum number of concurrent scraper runs. */
  scraperSlots: { all: number; perAccount: number }
}

/**
 * `started`: `ageMs` is the time since the start, for a run that was started earlier. `busy`: nothing was started, and
 * a later attempt may succeed. `refused`: no later attempt succeeds.
 */
export type StartResult =
  | { is: 'started'; ageMs?: number }
  | { is: 'busy'; retryAfterSeconds: number }
  | { is: 'refused' }

/** Provider run that a job requires. */
export type RequiredRun = {
  key: string
  request: ScraperRequest
  /** Null until the provider's run id is known. */
  providerRunId: string | null
  /** Records the provider's run id. Returns false when the run is no longer required. */
  record: (providerRunId: string) => Promise<boolean>
}

/** Storage of the provider runs of one kind of job, by the ids that its workflow uses. */
export type ScraperRuns<Id> = {
  read: (id: Id) => Promise<RequiredRun>
  /** Takes a slot and records the intent to call the provider. `isNew`: no earlier attempt has recorded the intent. */
  announce: (id: Id) => Promise<{ run: RequiredRun; isNew: boolean; ageMs: number } | 'full' | 'ended'>
  /** Reverts the recorded intent. Called when the provider started nothing. */
  withdraw: (id: Id) => Promise<void>
  /** Records that the run succeeded and is charged. */
  recordPaid?: (id: Id) => Promise<unknown>
}

/** Delay before another attempt to start a run when no slot is free. */
const slotRetrySeconds = 2

const busyRetrySeconds = 30

/** Creates the activities that start and poll the provider runs of one kind of job. */
export function createScraperSteps<Id>(
  deps: ScraperDeps,
  { read, announce, withdraw, recordPaid = async () => {} }: ScraperRuns<Id>,
) {
  return {
    /** Starts the provider's run once, when a slot is free. Safe to run again. */
    start: (id: Id): Promise<StartResult> =>
      withProviderAttempts(async () => {
        const announcement = await announce(id)
        if (announcement === 'ended') return { is: 'refused' }
        if (announcement === 'full') return { is: 'busy', retryAfterSeconds: slotRetrySeconds }
        const { run, isNew, ageMs } = announcement
        const result = await startProviderRun(deps, run, { isNew, withdraw: () => withdraw(id) })
        return result.is === 'started' ? { ...result, ageMs } : result
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
          if (isPermanent(deps, key, error)) return 'failed'
          throw error
        }
      }),
  }
}

/** Aborts the runs of all rows, then throws the first failure, if any. `isPaid`: the run had already succeeded. */
export async function abortRuns<Row>(
  deps: ScraperDeps,
  rows: readonly Row[],
  toRun: (row: Row) => RequiredRun,
  onAborted: (row: Row, isPaid: boolean) => Promise<void> = async () => {},
): Promise<void> {
  const results = await Promise.allSettled(rows.map(async (row) => onAborted(row, await abortRun(deps, toRun(row)))))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** Aborts a run, even if its id was not recorded. Returns true if it had already succeeded and is therefore charged. */
async function abortRun(
  { scraper }: ScraperDeps,
  { key, request, providerRunId: knownId, record }: RequiredRun,
): Promise<boolean> {
  const call = providerCall()
  const run = knownId === null ? await scraper.find(key, request, call) : await scraper.status(knownId, call)
  if (run === undefined) return false
  const { providerRunId, state } = run
  if (knownId === null) await record(providerRunId)
  if (state === 'queued' || state === 'running') await scraper.abort(providerRunId, call)
  return state === 'succeeded'
}

/**
 * Starts a run at the provider once. The intent is stored before the request, and a run that an earlier attempt may have
 * started is looked up by its key first. If the run is no longer required after its start, aborts it. Throws errors that a
 * retry may resolve.
 */
async function startProviderRun(
  deps: ScraperDeps,
  { key, request, providerRunId: knownId, record }: RequiredRun,
  { isNew, withdraw }: { isNew: boolean; withdraw: () => Promise<void> },
): Promise<StartResult> {
  if (knownId !== null) return { is: 'started' }
  const { scraper, platform } = deps
  const call = providerCall()
  let mayExist = !isNew
  try {
    const existing = mayExist ? await scraper.find(key, request, call) : undefined
    mayExist = false
    const run = existing ?? (await scraper.start({ key, request, callbackUrl: buildCallbackUrl(platform, key) }, call))
    if (await record(run.providerRunId)) return { is: 'started' }
    await scraper.abort(run.providerRunId, call)
    return { is: 'refused' }
  } catch (error) {
    if (isPermanent(deps, key, error)) return { is: 'refused' }
    if (!isBusy(error)) throw error
    if (!mayExist) await withdraw()
    return { is: 'busy', retryAfterSeconds: error.retryAfterSeconds ?? busyRetrySeconds }
  }
}

/** Logs a failure that a retry cannot resolve, and returns true for it. */
function isPermanent({ log }: ScraperDeps, key: string, error: unknown): boolean {
  if (!(error instanceof ProviderError) || error.isRetryable) return false
  log.error({ err: error, key, alert: error.kind === 'unauthorized' }, 'the scraper rejected a run')
  return true
}
