import { Context } from '@temporalio/activity'
import { endJobBy } from '../../db/jobs/ending.ts'
import { endBackgroundRun, mergeMetadata, readJob } from '../../db/jobs/jobs.ts'
import type { CapturePayload } from '../../db/measurements/accept.ts'
import { endChunk, listChunks, markChunkPaid, type ChunkRow } from '../../db/measurements/chunks.ts'
import { endCaptureJob, findCaptureJob } from '../../db/measurements/jobs.ts'
import { countMeasured } from '../../db/measurements/measurements.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { captureFaults, type CaptureOutput } from '../../domain/measurements/jobs.ts'
import { jobEnd, type JobEnd } from '../../domain/measurements/states.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { abortRun } from '../scrapers/provider-runs.ts'
import { wantedRun } from './chunks.ts'
import type { MeasurementDeps } from './deps.ts'

/** Why a job comes to its end: every chunk has ended or one has failed, its time is over, or somebody cancelled it. */
export type CaptureStop = 'over' | 'timeout' | 'cancelled'

export function createEndActivities(deps: MeasurementDeps) {
  return {
    /** Ends the provider's runs of chunks that are open, and the chunks. Safe to run again. */
    abortChunks: ({ runId }: { runId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const { db } = deps
        const job = await findCaptureJob(db, runId)
        if (job === undefined) return
        const open = (await listChunks(db, job.id)).filter(({ outcome }) => outcome === 'open')
        const aborted = await Promise.allSettled(
          open.map(async (row) => {
            if (await abortRun(deps, wantedRun(db, job, row))) await markChunkPaid(db, job.id, row.chunk)
            await endChunk(db, { snapshotId: job.id, chunk: row.chunk, outcome: 'failed', measuredCount: 0 })
          }),
        )
        for (const result of aborted) if (result.status === 'rejected') throw result.reason
      }),

    /**
     * Ends the job, with what its hold becomes, and its background run in one transaction. Chunks whose run could neither be
     * found nor aborted are shown in the metadata, and the operator is alerted. Safe to run again: what has ended never changes.
     */
    endCapture: async ({ runId, stop }: { runId: string; stop: CaptureStop }): Promise<void> => {
      const { db, catalogs, log } = deps
      const { payload } = await readJob(db, runId)
      const { usage } = payload as CapturePayload
      const end = async (tx: Tx): Promise<boolean> => {
        const job = await findCaptureJob(tx, runId)
        if (job === undefined) return endBackgroundRun(tx, runId, { status: 'CANCELED' })
        const chunks = await listChunks(tx, job.id)
        const how = endOf(stop, chunks)
        const terms = { chunks, usdPerAlbum: catalogs.terms.usdPerAlbum, usage }
        const charged = await endCaptureJob(tx, job.id, how, terms)
        const doubtful = chunks.filter(({ outcome }) => outcome === 'open').map(({ chunk }) => chunk)
        if (doubtful.length > 0) {
          await mergeMetadata(tx, runId, { chunksInDoubt: doubtful })
          log.error({ snapshotId: job.id, chunks: doubtful, alert: true }, 'the scraper may have been paid for nothing')
        }
        if (how.state === 'failed') {
          const fault = how.error === null ? undefined : captureFaults[how.error]
          return endBackgroundRun(tx, runId, fault ? { status: 'FAILED', error: fault } : { status: 'CANCELED' })
        }
        const output: CaptureOutput = {
          snapshot_id: job.id,
          state: how.state,
          songs_measured: await countMeasured(tx, job.id),
          credits_charged: charged,
        }
        return endBackgroundRun(tx, runId, { status: 'COMPLETED', output })
      }
      await endJobBy(db, { id: runId, attempt: Context.current().info.attempt }, end)
    },
  }
}

/** What a job ends with; a chunk that is still open when a job is over is one that failed. */
function endOf(stop: CaptureStop, chunks: readonly ChunkRow[]): JobEnd {
  if (stop === 'cancelled') return { state: 'failed', error: null }
  if (stop === 'timeout') return { state: 'failed', error: 'timeout' }
  return jobEnd(chunks, false) ?? { state: 'failed', error: 'provider_failed' }
}
