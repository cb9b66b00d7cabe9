import { endJobRow, type JobEnd } from './jobs.ts'
import type { Pool, Tx } from '../postgres/client.ts'
import { isContentError, isDatabaseUnavailable } from '../postgres/failures.ts'
import { insertRunAlert } from '../runs/alerts.ts'
import { endWithChatRun } from '../tasks/runs.ts'

/** Maximum attempts to end a run before it is force-ended. */
const maxEndAttempts = 20

const internalError = JSON.stringify({ name: 'InternalError', message: 'The end of the run failed' })

/**
 * Ends a run with `work`, which returns whether it ended the run. Force-ends the run when `work` fails because of the
 * run's content, or on the last attempt. `attempt` starts at 1.
 */
export async function endJobWith(
  db: Pool,
  { id, attempt }: { id: string; attempt: number },
  work: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await db.begin(work)
  } catch (error) {
    if (isDatabaseUnavailable(error) || (!isContentError(error) && attempt < maxEndAttempts)) throw error
    return db.begin((tx) => forceEnd(tx, id, error))
  }
}

/** Like `endJobRow`, but force-ends the run as `endJobWith` does. */
export function endJob(db: Pool, { id, attempt }: { id: string; attempt: number }, end: JobEnd): Promise<boolean> {
  return endJobWith(db, { id, attempt }, (tx) => endJobRow(tx, id, end))
}

/** Ends a background run that is still live after its chat run ended. Force-ends it when its content causes an error. */
export function endJobLeftBehind(db: Pool, { id, chatRunId }: { id: string; chatRunId: string }): Promise<boolean> {
  return endJobWith(db, { id, attempt: 1 }, async (tx) => {
    await endWithChatRun(tx, chatRunId)
    return true
  })
}

/** Ends a run without reading any of its results. */
async function forceEnd(tx: Tx, id: string, error: unknown): Promise<boolean> {
  const [run] = await tx<{ accountId: string }[]>`
    update background_runs set status = 'SYSTEM_FAILURE', finished_at = now(), error = ${internalError}::text::json
    where id = ${id} and finished_at is null returning account_id`
  if (run === undefined) return false
  await insertRunAlert(tx, { runId: id, accountId: run.accountId, reason: 'forced_end', error })
  return true
}
