import type { JobDetail } from '../../domain/runs/jobs.ts'
import type { Tx } from '../postgres/client.ts'
import { endBackgroundRun } from './jobs.ts'
import type { JobEndTerms } from './kind.ts'
import { jobKinds } from './list.ts'

type Unstarted = Pick<JobDetail, 'id' | 'accountId' | 'taskIdentifier' | 'payload'>

/**
 * Cancels a job without a workflow, with its domain object and its hold, in one transaction. A workflow that starts
 * concurrently finds it ended.
 */
export async function cancelUnstartedJob(
  tx: Tx,
  job: Unstarted,
  terms: Omit<JobEndTerms, 'isCancelled'>,
): Promise<void> {
  const kind = jobKinds.find(({ name }) => name === job.taskIdentifier)
  await kind?.end(tx, job, { ...terms, isCancelled: true })
  await endBackgroundRun(tx, job.id, { status: 'CANCELED' })
}
