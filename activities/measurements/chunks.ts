import { announceChunk, markChunkPaid, readChunk, recordChunkRun, withdrawChunk } from '../../db/measurements/chunks.ts'
import { beginBackgroundRun, readJob } from '../../db/jobs/jobs.ts'
import { beginCaptureJob, findCaptureJob, readCaptureJob } from '../../db/measurements/jobs.ts'
import { albumsOfChunk, chunkCount, chunkKey } from '../../domain/measurements/chunks.ts'
import { jobLimitMs } from '../../domain/measurements/states.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { callbackUrl } from '../../providers/scraper/callback.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { providerCall } from '../runtime/provider-call.ts'
import type { ChunkIds, MeasurementDeps } from './index.ts'

/** `busy`: nothing was started, and the provider is to be asked again later. `refused`: it never will be. */
type Started = { is: 'started' } | { is: 'busy'; retryAfterSeconds: number } | { is: 'refused' }

const busySeconds = 30

export function createChunkActivities(deps: MeasurementDeps) {
  return {
    /**
     * EXECUTING and running, unless the job has ended or is to be cancelled: then it has no chunks. `leftMs` is what is left
     * of the job's time. Safe to run again.
     */
    beginCapture: async ({ runId }: { runId: string }): Promise<{ chunkCount: number; leftMs: number }> => {
      const { db } = deps
      const albumCount = await db.begin(async (tx) => {
        if (!(await beginBackgroundRun(tx, runId))) return 0
        const job = await findCaptureJob(tx, runId)
        return job !== undefined && (await beginCaptureJob(tx, job.id)) ? job.albumIds.length : 0
      })
      const { startedAt } = await readJob(db, runId)
      const elapsedMs = Date.now() - (startedAt?.getTime() ?? Date.now())
      return { chunkCount: chunkCount(albumCount), leftMs: Math.max(1, jobLimitMs - elapsedMs) }
    },

    /**
     * Starts the provider's run of a chunk, once. Safe to run again: the intent is stored before the provider is asked, and
     * a run that an earlier attempt may have started is looked for by its key before another one is.
     */
    startChunk: (ids: ChunkIds): Promise<Started> =>
      withHeartbeat(async () => {
        const { db, scraper, platform } = deps
        const job = await readCaptureJob(db, ids.runId)
        const albumIds = albumsOfChunk(job.albumIds, ids.chunk)
        const place = { snapshotId: job.id, chunk: ids.chunk }
        const announced = await announceChunk(db, { ...place, albumCount: albumIds.length })
        if (announced.providerRunId !== null) return { is: 'started' }
        const key = chunkKey({ jobId: job.id, index: ids.chunk })
        const request = { kind: 'playcounts', albumIds } as const
        const call = providerCall()
        try {
          const found = announced.isNew ? undefined : await scraper.find(key, request, call)
          const { providerRunId } =
            found ?? (await scraper.start({ key, request, callbackUrl: callbackUrl(platform, key) }, call))
          await recordChunkRun(db, { ...place, providerRunId })
          return { is: 'started' }
        } catch (error) {
          if (isFinal(deps, ids, error)) return { is: 'refused' }
          if (!isBusy(error)) throw error
          await withdrawChunk(db, place)
          return { is: 'busy', retryAfterSeconds: error.retryAfterSeconds ?? busySeconds }
        }
      }),

    /** How far the provider's run of a chunk is. A run that succeeded is paid, and noted as that. Safe to run again. */
    lookAtChunk: (ids: ChunkIds): Promise<'running' | 'succeeded' | 'failed'> =>
      withHeartbeat(async () => {
        const { db, scraper } = deps
        const { id: snapshotId } = await readCaptureJob(db, ids.runId)
        const { providerRunId } = await readChunk(db, snapshotId, ids.chunk)
        if (providerRunId === null) return 'failed'
        try {
          const { state } = await scraper.status(providerRunId, providerCall())
          if (state === 'succeeded') await markChunkPaid(db, snapshotId, ids.chunk)
          if (state === 'succeeded') return 'succeeded'
          return state === 'failed' || state === 'aborted' ? 'failed' : 'running'
        } catch (error) {
          if (isFinal(deps, ids, error)) return 'failed'
          throw error
        }
      }),
  }
}

/** True for an answer that no further attempt changes. */
function isFinal({ log }: MeasurementDeps, ids: ChunkIds, error: unknown): boolean {
  if (!(error instanceof ProviderFault) || error.isRetryable) return false
  log.error({ err: error, ...ids, alert: error.kind === 'unauthorized' }, 'the scraper refused a chunk')
  return true
}

function isBusy(error: unknown): error is ProviderFault {
  return error instanceof ProviderFault && (error.kind === 'capacity' || error.kind === 'rate_limited')
}
