import type { ScraperJob } from '../jobs/kind.ts'
import { captureJob, type CapturePayload } from './accept.ts'
import { endCaptureJob, findCaptureJob } from './jobs.ts'

export const captureJobKind: ScraperJob = {
  name: captureJob,
  vendor: 'scraper',
  endWorkflow: 'endCaptureLeftBehind',
  table: 'playcount_snapshots',
  isLive: (db) => db`state in ('queued', 'running')`,
  end: async (tx, { id, payload }, { isCancelled, usdPerAlbum }) => {
    const job = await findCaptureJob(tx, id)
    const { usage } = payload as CapturePayload
    if (job !== undefined) await endCaptureJob(tx, job.id, isCancelled ? 'cancelled' : 'lost', { usdPerAlbum, usage })
  },
}
