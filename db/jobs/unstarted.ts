import type { JobDetail } from '../../domain/runs/jobs.ts'
import { contentJob } from '../../domain/content/runs.ts'
import { failContent } from '../content/runs.ts'
import { captureJob, type CapturePayload } from '../measurements/accept.ts'
import { endCaptureJob, findCaptureJob } from '../measurements/jobs.ts'
import type { Tx } from '../postgres/client.ts'
import { scrapeJob } from '../scrapers/accept.ts'
import { endBatch } from '../scrapers/ending.ts'
import { endBackgroundRun } from './jobs.ts'

type Unstarted = Pick<JobDetail, 'id' | 'accountId' | 'taskIdentifier' | 'payload'>

/**
 * Cancels a job without a workflow, with its domain object and its hold, in one transaction. A workflow that starts
 * concurrently finds it ended.
 */
export async function cancelUnstartedJob(
  tx: Tx,
  { id, accountId, taskIdentifier, payload }: Unstarted,
  { usdPerAlbum }: { usdPerAlbum: string },
): Promise<void> {
  if (taskIdentifier === captureJob) {
    const job = await findCaptureJob(tx, id)
    const { usage } = payload as CapturePayload
    if (job !== undefined) await endCaptureJob(tx, job.id, 'cancelled', { usdPerAlbum, usage })
  }
  if (taskIdentifier === scrapeJob) await endBatch(tx, id, { isCancelled: true })
  if (taskIdentifier === contentJob) await failContent(tx, { runId: id, accountId }, 'The run was cancelled.')
  await endBackgroundRun(tx, id, { status: 'CANCELED' })
}
