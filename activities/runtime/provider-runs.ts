import type { ScraperRequest } from '../../domain/scrapers/requests.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { callbackUrl } from '../../providers/scraper/callback.ts'
import type { ActivityDeps } from '../deps.ts'
import { isBusy, providerCall } from './provider-call.ts'

type RunDeps = Pick<ActivityDeps, 'scraper' | 'platform' | 'log'>

/**
 * `started`: `ageMs` is the time since the start, for a run that was started earlier. `busy`: nothing was started, and
 * a later attempt may succeed. `refused`: no later attempt succeeds.
 */
export type Started = { is: 'started'; ageMs?: number } | { is: 'busy'; retryAfterSeconds: number } | { is: 'refused' }

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

/** Seconds before a run without a free slot first tries again. */
export const slotSeconds = 2

const busySeconds = 30

/**
 * Starts a run at the provider once: the intent is stored before the request. A run that an earlier attempt may have
 * started is looked up by its key first. A run that is no longer required after its start is aborted, because its own
 * workflow has ended. Throws errors that a retry may resolve.
 */
export async function startOnce(
  deps: RunDeps,
  { key, request, providerRunId: known, record }: WantedRun,
  { isNew, withdraw }: { isNew: boolean; withdraw: () => Promise<void> },
): Promise<Started> {
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

/** Returns the state of a run. Throws errors that a retry may resolve. */
export async function stateOfRun(
  deps: RunDeps,
  key: string,
  providerRunId: string,
): Promise<'running' | 'succeeded' | 'failed'> {
  try {
    const { state } = await deps.scraper.status(providerRunId, providerCall())
    if (state === 'succeeded') return 'succeeded'
    return state === 'failed' || state === 'aborted' ? 'failed' : 'running'
  } catch (error) {
    if (isFinal(deps, key, error)) return 'failed'
    throw error
  }
}

/**
 * Aborts a run, even if its id was not recorded. Returns true for a run that had succeeded and is therefore charged.
 */
export async function abortRun(
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

/** True for a failure that a retry cannot change. */
function isFinal({ log }: RunDeps, key: string, error: unknown): boolean {
  if (!(error instanceof ProviderFault) || error.isRetryable) return false
  log.error({ err: error, key, alert: error.kind === 'unauthorized' }, 'the scraper rejected a run')
  return true
}
