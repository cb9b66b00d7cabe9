import { Context } from '@temporalio/activity'
import { beginAttempt, failAttempt } from '../../db/jobs/attempts.ts'
import type { RunError } from '../../domain/jobs/job.ts'
import type { DbDeps } from '../deps.ts'

/**
 * Runs `work` as one attempt at a step of a background run. Stores the start of the attempt and, if `work` throws, `error` as
 * its end; a cancellation is not a failure. After a success the attempt stays open, because later steps continue it.
 */
export async function runAttempt<T>(
  { db }: DbDeps,
  { runId, error: failure }: { runId: string; error: RunError },
  work: () => Promise<T>,
): Promise<T> {
  const { info, cancellationSignal } = Context.current()
  const number = info.attempt
  const attemptId = await db.begin((tx) => beginAttempt(tx, runId, number))
  try {
    return await work()
  } catch (error) {
    if (attemptId !== undefined && !cancellationSignal.aborted)
      await db.begin((tx) => failAttempt(tx, runId, { attemptId, number, error: failure }))
    throw error
  }
}
