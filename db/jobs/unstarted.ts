import type { Job } from '../../domain/jobs/job.ts'
import type { Tx } from '../postgres/client.ts'
import { endJobRow } from './jobs.ts'
import { jobKinds } from './list.ts'

/**
 * Cancels a job that has no workflow, with its domain object and its hold, in one transaction. A workflow that starts
 * concurrently finds the job ended.
 */
export async function cancelUnstartedJob(tx: Tx, { id, jobKind }: Pick<Job, 'id' | 'jobKind'>): Promise<void> {
  const kind = jobKinds.find(({ name }) => name === jobKind)
  await kind?.end(tx, id, true)
  await endJobRow(tx, id, { status: 'CANCELED' })
}
