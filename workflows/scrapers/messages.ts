import { declareWorkflow } from '../messages.ts'

/**
 * Signal that a webhook of the scraper sends to the work that waits for a run; its argument names the run there: the number
 * of a chunk, or the id of a profile's run.
 */
export const providerRunChanged = 'providerRunChanged'

/** Signal that a slot of the scraper may be free. */
export const slotFreed = 'slotFreed'

type LeftBehindInput = { runId: string; isCancelled: boolean }

/** Ends a batch whose own workflow is lost, and the provider runs that it announced. */
export const endScrapeLeftBehind = declareWorkflow<LeftBehindInput>({
  type: 'endScrapeLeftBehind',
  id: ({ runId }) => `end-scrape:${runId}`,
})

/** Ends a measurement whose own workflow is lost, and the provider runs that it announced. */
export const endCaptureLeftBehind = declareWorkflow<LeftBehindInput>({
  type: 'endCaptureLeftBehind',
  id: ({ runId }) => `end-capture:${runId}`,
})
