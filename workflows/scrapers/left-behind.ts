import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'
import { fiveAttempts } from '../provider-runs/provider-run.ts'
import type { LeftBehindInput } from './messages.ts'

const { endScrape, endCapture } = proxyActivities<Activities>(databaseActivityOptions)
const { abortProfileRuns, abortChunks } = proxyActivities<Activities>({
  ...fiveAttempts,
  startToCloseTimeout: '5m',
})

/**
 * Ends a batch whose workflow was lost. Aborts its recorded provider runs first, because they would otherwise be charged.
 */
export async function endScrapeLeftBehind({ runId: batchRunId, isCancelled }: LeftBehindInput): Promise<void> {
  await abortProfileRuns({ batchRunId }).catch(() => {})
  await endScrape({ batchRunId, isCancelled })
}

/** Ends a measurement whose workflow was lost. First aborts its recorded provider runs. */
export async function endCaptureLeftBehind({ runId, isCancelled }: LeftBehindInput): Promise<void> {
  await abortChunks({ runId }).catch(() => {})
  await endCapture({ runId, stop: isCancelled ? 'cancelled' : 'lost' })
}
