import { Context } from '@temporalio/activity'
import { endJobWith } from '../../db/jobs/ending.ts'
import { endJobRow, mergeMetadata } from '../../db/jobs/jobs.ts'
import type { RenderJob } from '../../db/jobs/kind.ts'
import { completeRender, failRender, findRender, type RenderCharge } from '../../db/jobs/renders.ts'
import type { LogDeps } from '../deps.ts'

/** Outcome of a render job: the result columns, charge and output, or the reason for the failure. */
export type RenderEnd = (RenderCharge & { output: unknown }) | { reason: string; isCancelled?: boolean }

/**
 * Ends a render job in one transaction: ends its object (the row in the job's table), charges it or releases its hold, and
 * ends its background run. The run is cancelled if its object was deleted with its account. Safe to run again: an
 * ended object never changes.
 */
export async function endRender({ db, log }: LogDeps, kind: RenderJob, runId: string, end: RenderEnd): Promise<void> {
  await endJobWith(db, { id: runId, attempt: Context.current().info.attempt }, async (tx) => {
    if ('reason' in end) await failRender(tx, kind, runId, end.reason)
    else await completeRender(tx, kind, runId, end)
    const render = await findRender(tx, kind, runId)
    if (render === undefined) return endJobRow(tx, runId, { status: 'CANCELED' })
    if (!('reason' in end)) return endJobRow(tx, runId, { status: 'COMPLETED', output: end.output })
    if (render.isRequested && render.providerRequestId === null) {
      await mergeMetadata(tx, runId, { renderInDoubt: true })
      log.error({ runId, alert: true }, 'the renderer did not confirm the render and may have charged for it')
    }
    const error = { name: kind.faultName, message: render.error ?? end.reason }
    return endJobRow(tx, runId, end.isCancelled ? { status: 'CANCELED' } : { status: 'FAILED', error })
  })
}
