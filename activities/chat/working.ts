import { ApplicationFailureCategory } from '@temporalio/common'
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import type { ActivityDeps } from '../deps.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'

/** Whether this is why a worker cancels its activities when its grace is over: another worker continues them. */
export function isWorkersEnd(reason: unknown): boolean {
  return reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN'
}

const leavingType = 'WorkerLeaving'

const unsureType = 'WorkerUnsure'

/** True when the work did not fail: this worker may not do it, or not any more. */
export function isHandedOver(error: unknown): boolean {
  return error instanceof ApplicationFailure && (error.type === leavingType || error.type === unsureType)
}

/** Throws while this process has lost its lock: other workers take it for dead. */
export function requireLock(lock: Pick<ActivityDeps['lock'], 'held'>): void {
  if (!lock.held()) throw ApplicationFailure.create({ type: unsureType, message: 'this worker has lost its lock' })
}

/**
 * Runs the work of an activity for a turn under heartbeats, with one signal for everything that can end it:
 * a recorded stop as it is announced, the engine's cancellation, and the end of this worker.
 */
export async function withWorkerLock<T>(
  deps: Pick<ActivityDeps, 'stops' | 'lock'>,
  runId: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { cancellationSignal } = Context.current()
  requireLock(deps.lock)
  const stop = deps.stops.watch(runId)
  try {
    return await withHeartbeat(() => work(AbortSignal.any([stop.signal, cancellationSignal])))
  } catch (error) {
    // What is announced has closed the log, so there is nothing left to be tried again.
    stop.signal.throwIfAborted()
    const isLeaving = cancellationSignal.aborted && isWorkersEnd(cancellationSignal.reason)
    throw isLeaving && !(error instanceof StaleWriter) ? handOver() : error
  } finally {
    stop.release()
  }
}

/** A failure that the engine retries at once, on another worker. */
export function handOver(): ApplicationFailure {
  return ApplicationFailure.create({ type: leavingType, message: 'this worker is leaving', nextRetryDelay: '100ms' })
}

/** Another batch has the work. Where this is the newest attempt all the same, the engine makes it anew. */
export function takenOver(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'TakenOver',
    message: 'another process has taken over',
    nextRetryDelay: '100ms',
  })
}

/** Runs work on an open log; a log that a stop, a newer attempt or the end of the run has closed ends the activity for good. */
export async function onOpenLog<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StaleWriter)) throw error
    const category = ApplicationFailureCategory.BENIGN
    throw ApplicationFailure.create({ type: 'RunClosed', message: 'the log is closed', nonRetryable: true, category })
  }
}
