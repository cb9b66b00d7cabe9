import { asyncLocalStorage } from '@temporalio/activity'
import type { Pool } from '../../db/postgres/client.ts'
import { withRetries, type RetryLimits } from '../../db/postgres/retry.ts'

/**
 * The database of activities: while Postgres is unavailable, a query or transaction waits instead of failing. An outage
 * then costs no attempt, and an external effect is never repeated because its row could not be written.
 */
export function databaseOfActivities(pool: Pool): Pool {
  return withRetries(pool, activityRetryLimits)
}

/** Waits at most until the activity times out or is cancelled. Queries after a cancellation belong to the cleanup. */
function activityRetryLimits(): RetryLimits {
  const ctx = asyncLocalStorage.getStore()
  if (ctx === undefined) return {}
  const ms = ctx.info.startToCloseTimeoutMs
  return ctx.cancellationSignal.aborted ? { ms } : { ms, signal: ctx.cancellationSignal }
}
