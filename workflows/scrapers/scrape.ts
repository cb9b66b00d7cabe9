import { CancellationScope, continueAsNew, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { ScrapeError } from '../../domain/scrapers/runs.ts'
import type { JobInput } from '../messages.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'
import {
  fiveAttempts,
  followRun,
  providerActivityOptions,
  startWhenRoom,
  rethrowIfCancelled,
} from '../provider-runs/provider-run.ts'
import { createRunWaits, HistoryTooLongError, runConcurrently, type RunWaits } from '../provider-runs/waits.ts'

/** Maximum concurrent provider runs of one batch. */
const maxConcurrentProfiles = 10

const { beginScrape, failProfileRun, endScrape } = proxyActivities<Activities>(databaseActivityOptions)
const { startProfileRun, lookAtProfileRun } = proxyActivities<Activities>(providerActivityOptions)
const { storeProfileRun } = proxyActivities<Activities>({ ...providerActivityOptions, startToCloseTimeout: '5m' })
const { abortProfileRuns, abortProfileRun } = proxyActivities<Activities>({
  ...fiveAttempts,
  startToCloseTimeout: '5m',
})

type Batch = { waits: RunWaits; deadline: number }

/** Scrapes a batch of profiles with one provider run each. A run that fails does not stop other runs. */
export async function scrapeSocials({ runId: batchRunId }: JobInput): Promise<void> {
  const waits = createRunWaits()
  const start = await CancellationScope.nonCancellable(() => beginScrape({ batchRunId }))
  const batch = { waits, deadline: Date.now() + (start?.leftMs ?? 0) }
  const end = start === null ? 'cancelled' : await scrapeAll(start.runIds, batch)
  if (end === 'continued') return continueAsNew<typeof scrapeSocials>({ runId: batchRunId })
  await CancellationScope.nonCancellable(async () => {
    if (end === 'cancelled') await abortProfileRuns({ batchRunId }).catch(() => {})
    await endScrape({ batchRunId, isCancelled: end === 'cancelled' })
  })
}

async function scrapeAll(runIds: string[], batch: Batch): Promise<'over' | 'cancelled' | 'continued'> {
  try {
    await runConcurrently(runIds, maxConcurrentProfiles, (runId) => scrapeProfile(runId, batch))
    return 'over'
  } catch (error) {
    if (CancellationScope.current().consideredCancelled || isCancellation(error)) return 'cancelled'
    if (error instanceof HistoryTooLongError) return 'continued'
    throw error
  }
}

async function scrapeProfile(runId: string, batch: Batch): Promise<void> {
  const error = await storeOrExplain(runId, batch)
  if (error !== undefined) await failProfileRun({ runId, error })
  batch.waits.markSlotFree()
}

/** Stores a profile. Returns the reason if it could not be stored. */
async function storeOrExplain(runId: string, { waits, deadline }: Batch): Promise<ScrapeError | undefined> {
  try {
    const limits = { deadline, pause: waits.waitForSlot }
    const ageMs = await waits.runExclusively(() => startWhenRoom(() => startProfileRun({ runId }), limits))
    if (ageMs === undefined) return 'provider_failed'
    const outcome = await followRun(() => lookAtProfileRun({ runId }), { run: runId, ageMs, waits })
    if (outcome === 'succeeded') return (await storeProfileRun({ runId })) ?? undefined
    if (outcome === 'timeout') await abortProfileRun({ runId })
    return outcome === 'timeout' ? 'timeout' : 'provider_failed'
  } catch (error) {
    rethrowIfCancelled(error)
    if (error instanceof HistoryTooLongError) throw error
    return 'provider_failed'
  }
}
