import { Context } from '@temporalio/activity'
import { beginAttempt, failAttempt } from '../../db/jobs/attempts.ts'
import type { RunFault } from '../../domain/runs/jobs.ts'
import type { ActivityDeps } from '../deps.ts'

/** Runs one attempt at a step of a background run and stores its result among the run's attempts. */
export async function recordAttempt<T>(
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
