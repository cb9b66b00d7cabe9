import { Context } from '@temporalio/activity'

const heartbeatIntervalMs = 1000

/**
 * Runs an activity's work with heartbeats, which detect a lost worker and deliver the engine's cancellation. `details` returns
 * the progress to report.
 */
export async function withHeartbeat<T>(work: () => Promise<T>, details?: () => unknown): Promise<T> {
  const ctx = Context.current()
  const timer = setInterval(() => ctx.heartbeat(details?.()), heartbeatIntervalMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
