import { Context } from '@temporalio/activity'

const heartbeatMs = 1000

/**
 * Runs an activity's work under heartbeats, which detect a lost worker and deliver the engine's cancellation. `details`
 * reports the progress.
 */
export async function withHeartbeat<T>(work: () => Promise<T>, details?: () => unknown): Promise<T> {
  const ctx = Context.current()
  const heart = setInterval(() => ctx.heartbeat(details?.()), heartbeatMs)
  try {
    return await work()
  } finally {
    clearInterval(heart)
  }
}
