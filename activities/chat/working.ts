import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import type { ActivityDeps } from '../deps.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'

/** True once this worker was asked to end and its grace is over: somebody else goes on with the activity. */
export function isLeaving(): boolean {
  const { aborted, reason } = Context.current().cancellationSignal as { aborted: boolean; reason: unknown }
  return aborted && isWorkersEnd(reason)
}

/** Whether this is why a worker that was asked to end cancels what it has in hand. */
export function isWorkersEnd(reason: unknown): boolean {
  return reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN'
}

const leavingType = 'WorkerLeaving'

const unsureType = 'WorkerUnsure'

/** True when the work did not fail: this worker may not do it, or not any more. */
export function isHandedOver(error: unknown): boolean {
  return error instanceof ApplicationFailure && (error.type === leavingType || error.type === unsureType)
}

/**
 * Runs the work of a turn's activity under heartbeats, with one signal for everything that can end it:
 * a recorded stop as it is announced, the engine's cancellation, and the end of this worker.
 */
export async function withWorkerLock<T>(
  deps: Pick<ActivityDeps, 'stops' | 'lock'>,
  runId: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ctx = Context.current()
  if (!deps.lock.held()) throw ApplicationFailure.create({ type: unsureType, message: 'this worker has lost its lock' })
  const stop = deps.stops.watch(runId)
  try {
    return await withHeartbeat(() => work(AbortSignal.any([stop.signal, ctx.cancellationSignal])))
  } catch (error) {
    // What is announced has closed the log, so there is nothing left to be tried again.
    stop.signal.throwIfAborted()
    throw isLeaving() && !(error instanceof StaleWriter) ? handOver() : error
  } finally {
    stop.release()
  }
}

/** Told to the engine as a failure to be tried again at once: no fault of the work. */
function handOver(): ApplicationFailure {
  return ApplicationFailure.create({ type: leavingType, message: 'this worker is leaving', nextRetryDelay: '100ms' })
}
