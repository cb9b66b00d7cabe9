import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { storing } from '../runtime/retries.ts'
import { ofProvider } from '../provider-runs/provider-run.ts'

const { endScrape, endCapture } = proxyActivities<Activities>(storing)
const { abortProfileRuns, abortChunks } = proxyActivities<Activities>({
  ...ofProvider,
  startToCloseTimeout: '5m',
  retry: { ...ofProvider.retry, maximumAttempts: 5 },
})

type LeftBehind = { runId: string; isCancelled: boolean }

/**
 * Ends a batch whose own workflow is lost. First aborts its recorded provider runs, which would otherwise be charged.
 */
export async function endScrapeLeftBehind({ runId: batchRunId, isCancelled }: LeftBehind): Promise<void> {
  await abortProfileRuns({ batchRunId }).catch(() => {})
  await endScrape({ batchRunId, isCancelled })
}

/** Ends a measurement whose own workflow is lost. First aborts its recorded provider runs. */
export async function endCaptureLeftBehind({ runId, isCancelled }: LeftBehind): Promise<void> {
  await abortChunks({ runId }).catch(() => {})
  await endCapture({ runId, stop: isCancelled ? 'cancelled' : 'lost' })
}
