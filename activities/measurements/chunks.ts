import { announceChunk, markChunkPaid, readChunk, recordChunkRun, withdrawChunk } from '../../db/measurements/chunks.ts'
import { beginBackgroundRun, readJob } from '../../db/jobs/jobs.ts'
import { beginCaptureJob, findCaptureJob, readCaptureJob, type CaptureJob } from '../../db/measurements/jobs.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { albumsOfChunk, chunkCount, chunkKey } from '../../domain/measurements/chunks.ts'
import { jobLimitMs } from '../../domain/measurements/states.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import { slotSeconds, startOnce, stateOfRun, type Started, type WantedRun } from '../runtime/provider-runs.ts'
import type { ChunkIds, MeasurementDeps } from './deps.ts'

export function createChunkActivities(deps: MeasurementDeps) {
  return {
    /**
     * Starts the job, unless it has ended or must be cancelled: then `chunkCount` is 0. `leftMs` is the remaining time
     * of the job. Safe to run again.
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

    /** Starts the provider's run of a chunk once, when a slot is free. Safe to run again. */
    startChunk: ({ runId, chunk }: ChunkIds): Promise<Started> =>
      withProviderAttempts(async () => {
        const { db, scraperSlots } = deps
        const job = await readCaptureJob(db, runId)
        const place = { snapshotId: job.id, chunk }
        const request = { ...place, accountId: job.accountId, albumCount: albumsOfChunk(job.albumIds, chunk).length }
        const announced = await db.begin((tx) => announceChunk(tx, request, scraperSlots))
        if (announced === 'ended') return { is: 'refused' }
        if (announced === 'full') return { is: 'busy', retryAfterSeconds: slotSeconds }
        const { isNew, providerRunId, ageMs } = announced
        const started = await startOnce(deps, wantedRun(db, job, { chunk, providerRunId }), {
          isNew,
          withdraw: () => withdrawChunk(db, place),
        })
        return started.is === 'started' ? { ...started, ageMs } : started
      }),

    /**
     * Reads the state of the provider's run of a chunk. A run that succeeded is recorded as paid. Safe to run again.
     */
    lookAtChunk: ({ runId, chunk }: ChunkIds): Promise<'running' | 'succeeded' | 'failed'> =>
      withProviderAttempts(async () => {
        const { db } = deps
        const { id: snapshotId } = await readCaptureJob(db, runId)
        const { providerRunId } = await readChunk(db, snapshotId, chunk)
        if (providerRunId === null) return 'failed'
        const state = await stateOfRun(deps, chunkKey({ jobId: snapshotId, index: chunk }), providerRunId)
        if (state === 'succeeded') await markChunkPaid(db, snapshotId, chunk)
        return state
      }),
  }
}

/** The provider's run of a chunk, for starting and finding it. */
export function wantedRun(
  db: Pool,
  job: CaptureJob,
  { chunk, providerRunId }: { chunk: number; providerRunId: string | null },
): WantedRun {
  return {
    key: chunkKey({ jobId: job.id, index: chunk }),
    request: { kind: 'playcounts', albumIds: albumsOfChunk(job.albumIds, chunk) },
    providerRunId,
    record: (id) => recordChunkRun(db, { snapshotId: job.id, chunk, providerRunId: id }),
  }
}
