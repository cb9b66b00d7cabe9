import { asyncLocalStorage } from '@temporalio/activity'
import type { Pool } from '../../db/postgres/client.ts'
import { withRetries, type RetryLimits } from '../../db/postgres/retry.ts'

/**
 * Returns a pool for activities, whose queries and transactions wait while Postgres is unavailable. An outage therefore uses
 * up no attempt and does not repeat an external effect whose row could not be written.
 */
export function createActivityDatabase(pool: Pool): Pool {
  return withRetries(pool, activityRetryLimits)
}

/** Limits the wait to the timeout and the cancellation of the activity. After a cancellation, cleanup queries may still run. */
function activityRetryLimits(): RetryLimits {
  const ctx = asyncLocalStorage.getStore()
  if (ctx === undefined) return {}
  const ms = ctx.info.startToCloseTimeoutMs
  return ctx.cancellationSignal.aborted ? { ms } : { ms, signal: ctx.cancellationSignal }
}
