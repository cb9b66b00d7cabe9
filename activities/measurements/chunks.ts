import { announceChunk, markChunkPaid, readChunk, recordChunkRun, withdrawChunk } from '../../db/measurements/chunks.ts'
import { beginJobRow, readJob } from '../../db/jobs/jobs.ts'
import { beginCaptureJob, findCaptureJob, readCaptureJob, type CaptureJob } from '../../db/measurements/jobs.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { albumsOfChunk, chunkCount, chunkKey } from '../../domain/measurements/chunks.ts'
import { jobLimitMs } from '../../domain/measurements/states.ts'
import { createScraperSteps, type WantedRun } from '../jobs/scraper-runs.ts'
import type { ChunkIds, MeasurementDeps } from './deps.ts'

export function createChunkActivities(deps: MeasurementDeps) {
  const { db, scraperSlots } = deps
  const toPlace = async ({ runId, chunk }: ChunkIds) => ({ snapshotId: (await readCaptureJob(db, runId)).id, chunk })
  const steps = createScraperSteps<ChunkIds>(deps, {
    read: async ({ runId, chunk }) => {
      const job = await readCaptureJob(db, runId)
      return wantedRun(db, job, await readChunk(db, job.id, chunk))
    },
    announce: async ({ runId, chunk }) => {
      const job = await readCaptureJob(db, runId)
      const albumCount = albumsOfChunk(job.albumIds, chunk).length
      const request = { snapshotId: job.id, chunk, accountId: job.accountId, albumCount }
      const announced = await db.begin((tx) => announceChunk(tx, request, scraperSlots))
      if (announced === 'ended' || announced === 'full') return announced
      return { ...announced, run: wantedRun(db, job, { chunk, ...announced }) }
    },
    withdraw: async (ids) => withdrawChunk(db, await toPlace(ids)),
    recordPaid: async (ids) => markChunkPaid(db, await toPlace(ids)),
  })
  return {
    startChunk: steps.start,
    lookAtChunk: steps.poll,

    /**
     * Starts the job, unless it has ended or must be cancelled: then `chunkCount` is 0. `leftMs` is the remaining time
     * of the job. Safe to run again.
     */
    beginCapture: async ({ runId }: { runId: string }): Promise<{ chunkCount: number; leftMs: number }> => {
      const albumCount = await db.begin(async (tx) => {
        if (!(await beginJobRow(tx, runId))) return 0
        const job = await findCaptureJob(tx, runId)
        return job !== undefined && (await beginCaptureJob(tx, job.id)) ? job.albumIds.length : 0
      })
      const { startedAt } = await readJob(db, runId)
      const elapsedMs = Date.now() - (startedAt?.getTime() ?? Date.now())
      return { chunkCount: chunkCount(albumCount), leftMs: Math.max(1, jobLimitMs - elapsedMs) }
    },
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
