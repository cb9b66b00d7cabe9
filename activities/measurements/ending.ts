import { Context } from '@temporalio/activity'
import { endJobWith } from '../../db/jobs/ending.ts'
import { endJobRow, mergeMetadata, type JobEnd as RunEnd } from '../../db/jobs/jobs.ts'
import { failChunk, listChunks, markChunkPaid } from '../../db/measurements/chunks.ts'
import { endCaptureJob, findCaptureJob, type EndedCapture } from '../../db/measurements/jobs.ts'
import { countMeasured } from '../../db/measurements/measurements.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { captureErrors, type CaptureOutput } from '../../domain/measurements/jobs.ts'
import type { CaptureStop } from '../../domain/measurements/states.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { abortRuns } from '../jobs/scraper-runs.ts'
import { toRequiredRun } from './chunks.ts'
import type { MeasurementDeps } from './deps.ts'

export function createEndActivities(deps: MeasurementDeps) {
  return {
    /** Aborts the provider's runs of open chunks and ends the chunks. Safe to run again. */
    abortChunks: ({ runId }: { runId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const { db } = deps
        const job = await findCaptureJob(db, runId)
        if (job === undefined) return
        const openChunks = (await listChunks(db, job.id)).filter(({ outcome }) => outcome === 'open')
        await abortRuns(
          deps,
          openChunks,
          (row) => toRequiredRun(db, job, row),
          async ({ chunk }, isPaid) => {
            const chunkRef = { snapshotId: job.id, chunk }
            if (isPaid) await markChunkPaid(db, chunkRef)
            await failChunk(db, chunkRef)
          },
        )
      }),

    /**
     * Ends the job, settles or releases its hold, and ends its background run in one transaction. If the run of a chunk could
     * neither be found nor aborted, records the chunk in the metadata and alerts the operator. Safe to run again: an ended job
     * never changes.
     */
    endCapture: async ({ runId, stop }: { runId: string; stop: CaptureStop }): Promise<void> => {
      const { db, log } = deps
      const end = async (tx: Tx): Promise<boolean> => {
        const job = await findCaptureJob(tx, runId)
        if (job === undefined) return endJobRow(tx, runId, { status: 'CANCELED' })
        const endedJob = await endCaptureJob(tx, job, stop)
        if (endedJob === undefined) return false
        const inDoubt = endedJob.chunks.filter(({ outcome }) => outcome === 'open').map(({ chunk }) => chunk)
        if (inDoubt.length > 0) {
          await mergeMetadata(tx, runId, { chunksInDoubt: inDoubt })
          log.error(
            { snapshotId: job.id, chunks: inDoubt, alert: true },
            'failed to abort scraper runs of a measurement; the scraper may charge for them',
          )
        }
        return endJobRow(tx, runId, await toRunEnd(tx, job.id, endedJob))
      }
      await endJobWith(db, { id: runId, attempt: Context.current().info.attempt }, end)
    },
  }
}

async function toRunEnd(tx: Tx, snapshotId: string, { end, charged }: EndedCapture): Promise<RunEnd> {
  if (end.state === 'failed')
    return end.error === null ? { status: 'CANCELED' } : { status: 'FAILED', error: captureErrors[end.error] }
  const output: CaptureOutput = {
    snapshot_id: snapshotId,
    state: end.state,
    songs_measured: await countMeasured(tx, snapshotId),
    credits_charged: charged,
  }
  return { status: 'COMPLETED', output }
}
