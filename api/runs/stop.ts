import { findRun, isLive, listStatuses, markStopDelivered, type Run } from '../../db/runs/runs.ts'
import { requestStop } from '../../db/turns/record-stop.ts'
import { holdForStop } from '../../db/turns/queue/queue.ts'
import { turnTerms } from '../../domain/chat/turn-terms.ts'
import { endTurn } from '../../db/turns/ending/end-turn.ts'
import type { StopDeps } from '../deps.ts'
import { startTurn } from '../../engine/turns.ts'
import { cancelRun, untilTrue } from './engine.ts'

export const stopTimeoutMs = 8000

/**
 * Stops runs and waits until they have ended. `unavailable`: Temporal was unavailable; the stop is recorded and is delivered
 * later. `timeout`: a run has not ended in time; the stop remains in force. Safe to repeat.
 */
export async function stopRuns(
  deps: StopDeps,
  runIds: string[],
  timeoutMs = stopTimeoutMs,
): Promise<'stopped' | 'unavailable' | 'timeout'> {
  const deadline = Date.now() + timeoutMs
  const deliveries = await Promise.all(runIds.map((runId) => stopRun(deps, runId)))
  if (deliveries.includes(false)) return 'unavailable'
  return (await untilTrue(() => haveEnded(deps, runIds), deadline)) ? 'stopped' : 'timeout'
}

/** Records the stop, holds the queue of the chat, and delivers the stop. Returns false when Temporal was unavailable. */
async function stopRun(deps: StopDeps, runId: string): Promise<boolean> {
  const run = await deps.db.begin(async (tx) => {
    const stopped = await requestStop(tx, runId)
    if (stopped !== undefined && isLive(stopped.status)) await holdForStop(tx, stopped.chatId)
    return stopped
  })
  return deliverStop(deps, run)
}

/**
 * Notifies the workers of a recorded stop, and ends a run that never reached Temporal. Returns false when Temporal was
 * unavailable.
 */
export async function deliverStop(deps: StopDeps, run: Run | undefined): Promise<boolean> {
  if (run === undefined || !isLive(run.status)) return true
  const runId = run.id
  deps.notifier.stop(runId)
  if (run.status === 'queued' && run.engineStartedAt === null) {
    const { engine, config } = deps
    await endTurn(
      { ...deps, startTurn: (id, options) => startTurn(deps, id, options), settings: { turns: turnTerms(config) } },
      { runId, end: { reason: 'stopped' }, isRetry: false },
    )
    // A workflow may have started since the run was read. It has nothing to do, because the turn has ended.
    engine
      .terminate(runId)
      .catch((error: unknown) =>
        deps.log.debug({ err: error, runId }, 'failed to terminate the workflow of a stopped run'),
      )
    return true
  }
  if (!(await cancelRun(deps, runId))) return (await findRun(deps.db, runId))?.status === 'cancelled'
  await markStopDelivered(deps.db, runId)
  return true
}

async function haveEnded({ db }: StopDeps, runIds: string[]): Promise<boolean> {
  return !(await listStatuses(db, runIds)).some((run) => isLive(run.status))
}
