import { announceChunk, markChunkPaid, readChunk, recordChunkRun, withdrawChunk } from '../../db/measurements/chunks.ts'
import { beginJobRow, readJob } from '../../db/jobs/jobs.ts'
import { beginCaptureJob, findCaptureJob, readCaptureJob, type CaptureJob } from '../../db/measurements/jobs.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { albumsOfChunk, chunkCount, chunkKey } from '../../domain/measurements/chunks.ts'
import { jobTimeoutMs } from '../../domain/measurements/states.ts'
import { createScraperSteps, type RequiredRun } from '../jobs/scraper-runs.ts'
import type { ChunkIds, MeasurementDeps } from './deps.ts'

export function createChunkActivities(deps: MeasurementDeps) {
  const { db, scraperSlots } = deps
  const toChunkRef = async ({ runId, chunk }: ChunkIds) => ({ snapshotId: (await readCaptureJob(db, runId)).id, chunk })
  const steps = createScraperSteps<ChunkIds>(deps, {
    read: async ({ runId, chunk }) => {
      const job = await readCaptureJob(db, runId)
      return toRequiredRun(db, job, await readChunk(db, job.id, chunk))
    },
    announce: async ({ runId, chunk }) => {
      const job = await readCaptureJob(db, runId)
      const albumCount = albumsOfChunk(job.albumIds, chunk).length
      const request = { snapshotId: job.id, chunk, accountId: job.accountId, albumCount }
      const chunkState = await db.begin((tx) => announceChunk(tx, request, scraperSlots))
      if (chunkState === 'ended' || chunkState === 'full') return chunkState
      return { ...chunkState, run: toRequiredRun(db, job, { chunk, ...chunkState }) }
    },
    withdraw: async (ids) => withdrawChunk(db, await toChunkRef(ids)),
    recordPaid: async (ids) => markChunkPaid(db, await toChunkRef(ids)),
  })
  return {
    startChunk: steps.start,
    lookAtChunk: steps.poll,

    /**
     * Starts the job. `chunkCount` is 0 if the job has ended or must be cancelled; `leftMs` is its remaining time. Safe to run
     * again.
     */
    beginCapture: async ({ runId }: { runId: string }): Promise<{ chunkCount: number; leftMs: number }> => {
      const albumCount = await db.begin(async (tx) => {
        if (!(await beginJobRow(tx, runId))) return 0
        const job = await findCaptureJob(tx, runId)
        return job !== undefined && (await beginCaptureJob(tx, job.id)) ? job.albumIds.length : 0
      })
      const { startedAt } = await readJob(db, runId)
      const elapsedMs = Date.now() - (startedAt?.getTime() ?? Date.now())
      return { chunkCount: chunkCount(albumCount), leftMs: Math.max(1, jobTimeoutMs - elapsedMs) }
    },
  }
}

/** Returns the provider run that a chunk requires. */
export function toRequiredRun(
  db: Pool,
  job: CaptureJob,
  { chunk, providerRunId }: { chunk: number; providerRunId: string | null },
): RequiredRun {
  return {
    key: chunkKey({ jobId: job.id, index: chunk }),
    request: { kind: 'playcounts', albumIds: albumsOfChunk(job.albumIds, chunk) },
    providerRunId,
    record: (id) => recordChunkRun(db, { snapshotId: job.id, chunk, providerRunId: id }),
  }
}
