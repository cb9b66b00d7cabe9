import { declareWorkflow } from '../messages.ts'

type LeftBehindInput = { runId: string; isCancelled: boolean }

/** Ends a batch whose own workflow is lost, and aborts its recorded provider runs. */
export const endScrapeLeftBehind = declareWorkflow<LeftBehindInput>({
  type: 'endScrapeLeftBehind',
  id: ({ runId }) => `end-scrape:${runId}`,
})

/** Ends a measurement whose own workflow is lost, and aborts its recorded provider runs. */
export const endCaptureLeftBehind = declareWorkflow<LeftBehindInput>({
  type: 'endCaptureLeftBehind',
  id: ({ runId }) => `end-capture:${runId}`,
})
