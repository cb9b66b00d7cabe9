import { findRun, isLive, listStatuses, markStopDelivered, requestStop } from '../../db/runs/runs.ts'
import { endTurn } from '../../db/turns/ending/end-turn.ts'
import type { ApiDeps } from '../deps.ts'

export const stopTimeoutMs = 8000
const pollMs = 100

/** Records the stop, tells the workers, and ends a run that no engine ever saw. False when the engine refused. */
const requestOne = async (deps: ApiDeps, runId: string): Promise<boolean> => {
  const run = await deps.db.begin((tx) => requestStop(tx, runId))
  if (run === undefined || !isLive(run.status)) return true
  deps.notifier.stop(runId)
  if (run.status === 'queued' && run.engineStartedAt === null) {
    const settings = { sandboxIdleMs: deps.config.SANDBOX_IDLE_SECONDS * 1000 }
    await endTurn({ ...deps, settings }, { runId, end: { reason: 'stopped' }, again: false })
    return true
  }
  try {
    await deps.engine.cancel(runId)
  } catch (error) {
    deps.log.warn({ err: error, runId }, 'the engine refused to cancel; the sweeper delivers the stop')
    return (await findRun(deps.db, runId))?.status === 'cancelled'
  }
  await markStopDelivered(deps.db, runId)
  return true
}

const untilEnded = async (deps: ApiDeps, runIds: string[], deadline: number): Promise<boolean> => {
  for (;;) {
    const runs = await listStatuses(deps.db, runIds)
    if (!runs.some((run) => isLive(run.status))) return true
    if (Date.now() >= deadline) return false
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/**
 * Stops runs and waits for their end. `refused`: the engine could not be told, the stop is recorded and delivered later.
 * `timeout`: not ended in time, the stop stays in force. Calling again is safe.
 */
export const stopRuns = async (
  deps: ApiDeps,
  runIds: string[],
  timeoutMs = stopTimeoutMs,
): Promise<'stopped' | 'refused' | 'timeout'> => {
  const deadline = Date.now() + timeoutMs
  const told = await Promise.all(runIds.map((runId) => requestOne(deps, runId)))
  if (told.includes(false)) return 'refused'
  return (await untilEnded(deps, runIds, deadline)) ? 'stopped' : 'timeout'
}
