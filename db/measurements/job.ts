import { captureReference } from '../../domain/measurements/price.ts'
import type { ScraperJob } from '../jobs/kind.ts'
import { endCaptureJob, findCaptureJob } from './jobs.ts'

export const captureJobKind: ScraperJob = {
  name: 'capture-play-counts',
  cancellable: true,
  vendor: 'scraper',
  endWorkflow: 'endCaptureLeftBehind',
  table: 'playcount_snapshots',
  isLive: (db) => db`state in ('queued', 'running')`,
  reference: captureReference,
  end: async (tx, runId, isCancelled) => {
    const job = await findCaptureJob(tx, runId)
    if (job !== undefined) await endCaptureJob(tx, job, isCancelled ? 'cancelled' : 'lost')
  },
}
