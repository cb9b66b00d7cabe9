import { Context } from '@temporalio/activity'

const heartbeatMs = 1000

/**
 * Runs an activity's work under heartbeats: a lost worker is noticed, and the engine's cancellation arrives. `details` shows
 * where the work is.
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
