import { isEnded, type JobDetail } from '../../jobs/job.ts'
import type { ContentOutput } from '../runs.ts'
import { overallOutcome, type Callback, type RunResult } from './callback.ts'

/** Outcome of the runs of a thread: the callback without its thread. */
export type Conclusion = Pick<Callback, 'status' | 'results' | 'message'>

type Run = Pick<JobDetail, 'status' | 'output' | 'error'>

/** Returns the outcome of the runs of a thread. A run is undefined if its row was deleted. */
export function concludeRuns(runs: readonly (readonly [runId: string, run: Run | undefined])[]): Conclusion {
  const results = runs.map(([runId, run]) => toResult(runId, run))
  const status = overallOutcome(results)
  return { status, results, ...(status === 'failed' && { message: explainFailure(results) }) }
}

/** Explains why no video was created, each reason once. */
function explainFailure(results: readonly RunResult[]): string {
  const reasons = new Set(results.flatMap(({ error }) => error ?? []))
  return ['The videos could not be created.', ...reasons].join(' ').slice(0, 1000)
}

function toResult(runId: string, run: Run | undefined): RunResult {
  if (run !== undefined && !isEnded(run.status)) return { runId, status: 'timeout' }
  if (run?.status !== 'COMPLETED') return { runId, status: 'failed', error: explainEnd(run) }
  const { videoSourceUrl: videoUrl, captionText } = run.output as ContentOutput
  return { runId, status: 'completed', videoUrl, captionText }
}

function explainEnd(run: Run | undefined): string {
  if (run?.status === 'CANCELED') return 'The run was cancelled.'
  return run?.error?.message ?? 'The run was lost.'
}
