import { asyncLocalStorage } from '@temporalio/activity'
import type { Pool } from '../../db/postgres/client.ts'
import { withRetries, type Patience } from '../../db/postgres/retry.ts'

/**
 * The database as activities have it: while Postgres is away a query or transaction waits for it instead of failing. So
 * an outage costs time and no attempt, and an effect outside is never repeated for the sake of the row behind it.
 */
export function databaseOfActivities(pool: Pool): Pool {
  return withRetries(pool, patienceOfActivity)
}

/** No longer than the engine waits for the activity, and until it is cancelled. What it does after that is its cleaning up. */
function patienceOfActivity(): Patience {
  const ctx = asyncLocalStorage.getStore()
  if (ctx === undefined) return {}
  const ms = ctx.info.startToCloseTimeoutMs
  return ctx.cancellationSignal.aborted ? { ms } : { ms, signal: ctx.cancellationSignal }
}
