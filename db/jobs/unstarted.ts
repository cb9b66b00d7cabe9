import type { Job } from '../../domain/runs/jobs.ts'
import type { Tx } from '../postgres/client.ts'
import { endBackgroundRun } from './jobs.ts'
import { jobKinds } from './list.ts'

/**
 * Cancels a job without a workflow, with its domain object and its hold, in one transaction. A workflow that starts
 * concurrently finds it ended.
 */
export async function cancelUnstartedJob(
  tx: Tx,
  { id, taskIdentifier }: Pick<Job, 'id' | 'taskIdentifier'>,
): Promise<void> {
  const kind = jobKinds.find(({ name }) => name === taskIdentifier)
  await kind?.end(tx, id, true)
  await endBackgroundRun(tx, id, { status: 'CANCELED' })
}
