import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { ScrapeError } from '../../domain/scrapers/runs.ts'
import type { JobInput } from '../messages.ts'
import { brief } from '../runtime/brief-work.ts'
import {
  inLanes,
  isStarted,
  listenForChanges,
  ofProvider,
  outcomeOf,
  unlessCancelled,
  type Changed,
} from './provider-run.ts'

/** Provider runs of one batch at the same time. */
const maxProfilesAtOnce = 10
/** A slot among those of all batches may be long in coming. */
const slotPatienceMs = 6 * 60 * 60 * 1000

const { beginScrape, failProfileRun, endScrape } = proxyActivities<Activities>({
  ...brief,
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})
const { startProfileRun, lookAtProfileRun } = proxyActivities<Activities>(ofProvider)
const { storeProfileRun } = proxyActivities<Activities>({ ...ofProvider, startToCloseTimeout: '5m' })
const { abortProfileRuns } = proxyActivities<Activities>({
  ...ofProvider,
  startToCloseTimeout: '5m',
  retry: { ...ofProvider.retry, maximumAttempts: 5 },
})

/** The scrape of a batch of profiles: a run of the provider for each, of which one that fails keeps no other back. */
export async function scrapeSocials({ runId: batchRunId }: JobInput): Promise<void> {
  const changed = listenForChanges()
  const runIds = await beginScrape({ batchRunId })
  const isCancelled = !(await isScraped(runIds, changed))
  await CancellationScope.nonCancellable(async () => {
    if (isCancelled) await abortProfileRuns({ batchRunId }).catch(() => {})
    await endScrape({ batchRunId, isCancelled: isCancelled || runIds === null })
  })
}

/** False when it was cancelled. */
async function isScraped(runIds: string[] | null, changed: Changed): Promise<boolean> {
  try {
    await inLanes(runIds ?? [], maxProfilesAtOnce, (runId) => scrapeProfile(runId, changed))
    return true
  } catch (error) {
    if (isCancellation(error)) return false
    throw error
  }
}

async function scrapeProfile(runId: string, changed: Changed): Promise<void> {
  const error = await faultOf(runId, changed)
  if (error !== undefined) await failProfileRun({ runId, error })
}

/** Why the profile could not be stored; undefined once it is. */
async function faultOf(runId: string, changed: Changed): Promise<ScrapeError | undefined> {
  try {
    if (!(await isStarted(() => startProfileRun({ runId }), slotPatienceMs))) return 'provider_failed'
    const outcome = await outcomeOf(() => lookAtProfileRun({ runId }), { run: runId, changed })
    if (outcome !== 'succeeded') return outcome === 'timeout' ? 'timeout' : 'provider_failed'
    return (await storeProfileRun({ runId })) ?? undefined
  } catch (error) {
    unlessCancelled(error)
    return 'provider_failed'
  }
}
