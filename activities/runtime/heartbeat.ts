import { Context } from '@temporalio/activity'

/** Heartbeats per heartbeat timeout, so that a few lost requests do not fail the activity. */
const heartbeatsPerTimeout = 4

const defaultTimeoutMs = 5000

/**
 * Runs an activity's work with heartbeats, which detect a lost worker and deliver the engine's cancellation. `details` returns
 * the progress to report.
 */
export async function withHeartbeat<T>(work: () => Promise<T>, details?: () => unknown): Promise<T> {
  const ctx = Context.current()
  const intervalMs = (ctx.info.heartbeatTimeoutMs ?? defaultTimeoutMs) / heartbeatsPerTimeout
  const timer = setInterval(() => ctx.heartbeat(details?.()), intervalMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
