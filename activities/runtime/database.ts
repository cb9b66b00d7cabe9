import { asyncLocalStorage } from '@temporalio/activity'
import type { Pool } from '../../db/postgres/client.ts'
import { withRetries, type RetryLimits } from '../../db/postgres/retry.ts'

/**
 * Returns the database for activities: while Postgres is unavailable, a query or transaction waits instead of failing. An
 * outage then costs no attempt, and no external effect is repeated only because its row could not be written.
 */
export function databaseOfActivities(pool: Pool): Pool {
  return withRetries(pool, activityRetryLimits)
}

/** Limits the wait to the timeout and the cancellation of the activity. Queries after a cancellation belong to its cleanup. */
function activityRetryLimits(): RetryLimits {
  const ctx = asyncLocalStorage.getStore()
  if (ctx === undefined) return {}
  const ms = ctx.info.startToCloseTimeoutMs
  return ctx.cancellationSignal.aborted ? { ms } : { ms, signal: ctx.cancellationSignal }
}
