import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import { advanceRun, readRun } from '../../db/runs/runs.ts'
import { endTurn } from '../../db/turns/ending/end-turn.ts'
import { countFailure } from '../../db/log/attempts.ts'
import { limitsWithin } from '../../domain/runs/origin.ts'
import { maxFailures, type TurnEnd } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { wakeAfterRun } from '../sandboxes/lifecycle.ts'
import { isRepositoryDenied } from '../repositories/access.ts'
import { provisionSession } from '../sandboxes/session.ts'
import { isHandedOver, withWorkerLock } from './working.ts'

/** Stands for the time before step 0 where failures are counted. */
const beforeSteps = -1

export function createTurnActivities(deps: ActivityDeps) {
  return {
    /** queued to running; what time is left counts from the first time. Safe to run again: guarded by the run's state. */
    beginTurn: ({ runId }: { runId: string }) =>
      withHeartbeat(async () => {
        const live = await advanceRun(deps.db, runId)
        const { headless, startedAt, inherited } = await readRun(deps.db, runId)
        const { stepLimit, runTimeLimitMs } = deps.settings
        const elapsedMs = startedAt === null ? 0 : Date.now() - startedAt.getTime()
        const timeLimitMs = Math.max(1, Math.min(runTimeLimitMs, runTimeLimitMs - elapsedMs))
        return { live, headless, ...limitsWithin({ stepLimit, timeLimitMs }, inherited, Date.now()) }
      }),

    /**
     * Repository and sandbox of a headless run. Safe to run again: both are found by name when they exist. Only failures of
     * its own count, not lost workers.
     */
    provisionTurn: async ({ runId }: { runId: string }): Promise<void> => {
      const { sessionId } = await readRun(deps.db, runId)
      try {
        await withWorkerLock(deps, runId, () => provisionSession(deps, sessionId))
      } catch (error) {
        if (error instanceof CancelledFailure || isHandedOver(error) || isRepositoryDenied(error)) throw error
        deps.log.error({ runId, err: error }, 'sandbox of a headless run failed')
        const failures = await countFailure(deps.db, runId, beforeSteps)
        throw ApplicationFailure.create({
          type: 'SandboxFailed',
          message: 'the sandbox could not be started',
          nonRetryable: failures >= maxFailures,
        })
      }
    },

    /** Ends the run, whatever it has done. Safe to run again: an ended run is left as it is. */
    finaliseTurn: ({ runId, end }: { runId: string; end: TurnEnd }): Promise<void> =>
      withHeartbeat(async () => {
        await endTurn(deps, { runId, end, again: Context.current().info.attempt > 1 })
        // Not awaited: a wake-up that is lost is made good by the sweeper.
        wakeAfterRun(deps, runId).catch((error: unknown) =>
          deps.log.warn({ runId, err: error }, 'no sandbox watcher could be woken'),
        )
      }),
  }
}
