import { endJobRow, type JobEnd } from './jobs.ts'
import type { Pool, Tx } from '../postgres/client.ts'
import { isContentFault, isDatabaseAway } from '../postgres/failures.ts'
import { insertRunAlert } from '../runs/alerts.ts'
import { endWithChatRun } from '../tasks/runs.ts'

/** Attempts at the end of one run, with any failure, before it is force-ended. */
const maxEndAttempts = 20

const internalError = JSON.stringify({ name: 'InternalError', message: 'The run could not be ended as it should' })

/**
 * Ends a run by work that returns whether it ended it. Force-ends the run when the work fails because of its content,
 * or on the last attempt. `attempt`: from 1.
 */
export async function endJobBy(
  db: Pool,
  { id, attempt }: { id: string; attempt: number },
  work: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await db.begin(work)
  } catch (error) {
    if (isDatabaseAway(error) || (!isContentFault(error) && attempt < maxEndAttempts)) throw error
    return db.begin((tx) => forceEnd(tx, id, error))
  }
}

/** Like `endJobRow`, but force-ends the run when that fails. */
export function endJob(db: Pool, { id, attempt }: { id: string; attempt: number }, end: JobEnd): Promise<boolean> {
  return endJobBy(db, { id, attempt }, (tx) => endJobRow(tx, id, end))
}

/** Ends a run whose chat run has ended without it. Force-ends it when that fails because of its content. */
export function endJobLeftBehind(db: Pool, { id, chatRunId }: { id: string; chatRunId: string }): Promise<boolean> {
  return endJobBy(db, { id, attempt: 1 }, async (tx) => {
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
