import { ApplicationFailure } from '@temporalio/activity'
import { whenDatabaseIsBack } from '../../db/persist.ts'
import { advanceRun, readRun } from '../../db/runs.ts'
import { finaliseRun } from '../../db/turns/finalise.ts'
import type { TurnEnd } from '../../domain/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { provisionSession } from '../sandbox.ts'
import { whileWorking } from './working.ts'

export const createTurnActivities = (deps: ActivityDeps) => ({
  /** queued to running. Safe to run again: the transition is guarded by the run's state. */
  beginTurn: async ({ runId }: { runId: string }) => {
    const live = await advanceRun(deps.db, runId)
    const { headless } = await readRun(deps.db, runId)
    const { stepLimit, runTimeLimitMs } = deps.settings
    return { live, headless, stepLimit, timeLimitMs: runTimeLimitMs }
  },

  /** Repository and sandbox of a headless run. Safe to run again: both are found by name when they exist. */
  provisionTurn: async ({ runId }: { runId: string }): Promise<void> => {
    const { sessionId } = await readRun(deps.db, runId)
    try {
      await whileWorking(deps, runId, (signal) => whenDatabaseIsBack(() => provisionSession(deps, sessionId), signal))
    } catch (error) {
      deps.log.error({ runId, err: error }, 'sandbox of a headless run failed')
      throw ApplicationFailure.create({ type: 'SandboxFailed', message: 'the sandbox could not be started' })
    }
  },

  /** Ends the run in one transaction. Safe to run again: an ended run is left as it is. */
  finaliseTurn: async ({ runId, end }: { runId: string; end: TurnEnd }): Promise<void> => {
    await deps.db.begin((tx) => finaliseRun(tx, { runId, end, idleMs: deps.settings.sandboxIdleMs }))
    deps.notifier.wake(runId)
  },
})
