import type { ScraperRequest } from '../../domain/scrapers/requests.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { callbackUrl } from '../../providers/scraper/callback.ts'
import type { ActivityDeps } from '../deps.ts'
import { isBusy, providerCall } from './provider-call.ts'

type RunDeps = Pick<ActivityDeps, 'scraper' | 'platform' | 'log'>

/**
 * `started`, with the milliseconds since where that was earlier. `busy`: nothing was started, and a later try may do so.
 * `refused`: no later try does.
 */
export type Started = { is: 'started'; ageMs?: number } | { is: 'busy'; retryAfterSeconds: number } | { is: 'refused' }

/** A run that our books say is wanted, and how they record it: false where it is not wanted any more. */
export type WantedRun = {
  key: string
  request: ScraperRequest
  /** Null while the provider is not known to have one. */
  providerRunId: string | null
  record: (providerRunId: string) => Promise<boolean>
}

/** Seconds until a run that found no free slot first looks again. */
export const slotSeconds = 2

const busySeconds = 30

/**
 * Starts a run of the provider, once: the intent is in the books before. A run that an earlier attempt may have started is
 * looked for by its key before another one is. A run that is not wanted any more once it has started is aborted: its own
 * workflow has ended. Throws what a further attempt may mend.
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

/** How far a run is. Throws what a further attempt may mend. */
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

/** Ends a run, also one whose id was not recorded. True for one that had succeeded: it is paid. */
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

/** True for an answer that no further attempt changes. */
function isFinal({ log }: RunDeps, key: string, error: unknown): boolean {
  if (!(error instanceof ProviderFault) || error.isRetryable) return false
  log.error({ err: error, key, alert: error.kind === 'unauthorized' }, 'the scraper refused a run')
  return true
}
