import { parseChunkKey } from '../../domain/measurements/chunks.ts'
import { captureReference } from '../../domain/measurements/price.ts'
import type { ScraperJob } from '../jobs/kind.ts'
import { findOpenChunkRun } from './chunks.ts'
import { endCaptureJob, findCaptureJob } from './jobs.ts'

export const captureJobKind: ScraperJob = {
  name: 'capture-play-counts',
  cancellable: true,
  vendor: 'scraper',
  endWorkflow: 'endCaptureLeftBehind',
  table: 'playcount_snapshots',
  isLive: (db) => db`state in ('queued', 'running')`,
  reference: captureReference,
  findWaiting: async (db, key) => {
    const chunk = parseChunkKey(key)
    if (chunk === undefined) return undefined
    const runId = await findOpenChunkRun(db, { snapshotId: chunk.jobId, chunk: chunk.index })
    return runId === undefined ? undefined : { runId, part: chunk.index }
  },
  end: async (tx, runId, isCancelled) => {
    const job = await findCaptureJob(tx, runId)
    if (job !== undefined) await endCaptureJob(tx, job, isCancelled ? 'cancelled' : 'lost')
  },
}
