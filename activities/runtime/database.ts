import { asyncLocalStorage } from '@temporalio/activity'
import type { Pool } from '../../db/postgres/client.ts'
import { withRetries, type Patience } from '../../db/postgres/retry.ts'

/** No longer than the engine waits for the activity, and until it is cancelled. What it does after that is its cleaning up. */
const patienceOfActivity = (): Patience => {
  const ctx = asyncLocalStorage.getStore()
  if (ctx === undefined) return {}
  const ms = ctx.info.startToCloseTimeoutMs
  return ctx.cancellationSignal.aborted ? { ms } : { ms, signal: ctx.cancellationSignal }
}

/**
 * The database as activities have it: while Postgres is away a query or transaction waits for it instead of failing. So
 * an outage costs time and no attempt, and an effect outside is never repeated for the sake of the row behind it.
 */
export const databaseOfActivities = (pool: Pool): Pool => withRetries(pool, patienceOfActivity)
