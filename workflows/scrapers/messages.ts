import { declareWorkflow } from '../messages.ts'

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
