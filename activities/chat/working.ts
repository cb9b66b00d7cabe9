import { ApplicationFailure, Context } from '@temporalio/activity'
import type { ActivityDeps } from '../deps.ts'
import { whileBeating } from '../heartbeat.ts'

/**
 * Runs the work of a turn's activity under heartbeats, with one signal for everything that can end it:
 * a recorded stop as it is announced, and the engine's cancellation.
 */
export const whileWorking = async <T>(
  deps: Pick<ActivityDeps, 'stops' | 'lock'>,
  runId: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const ctx = Context.current()
  if (!deps.lock.held())
    throw ApplicationFailure.create({ type: 'WorkerUnsure', message: 'this worker has lost its lock' })
  const stop = deps.stops.watch(runId)
  try {
    return await whileBeating(() => work(AbortSignal.any([stop.signal, ctx.cancellationSignal])))
  } finally {
    stop.release()
  }
}
