import { Context } from '@temporalio/activity'
import { beginAttempt, failAttempt } from '../../db/jobs/attempts.ts'
import type { RunFault } from '../../domain/jobs/job.ts'
import type { ActivityDeps } from '../deps.ts'

/**
 * Runs `work` as one attempt at a step of a background run. Stores the start of the attempt, and `fault` as its end if
 * `work` throws; a cancellation is not a failure. The attempt stays open on success, because later steps continue it.
 */
export async function runAttempt<T>(
  { db }: Pick<ActivityDeps, 'db'>,
  { runId, fault }: { runId: string; fault: RunFault },
  work: () => Promise<T>,
): Promise<T> {
  const { info, cancellationSignal } = Context.current()
  const number = info.attempt
  const attemptId = await db.begin((tx) => beginAttempt(tx, runId, number))
  try {
    return await work()
  } catch (error) {
    if (attemptId !== undefined && !cancellationSignal.aborted)
      await db.begin((tx) => failAttempt(tx, runId, { attemptId, number, fault }))
    throw error
  }
}
