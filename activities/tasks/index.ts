import { beginJobRow } from '../../db/jobs/jobs.ts'
import { startErrors } from '../../domain/tasks/runs.ts'
import { runAttempt } from '../runtime/attempts.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { TurnDeps } from '../chat/working.ts'
import { recordFire } from './fire.ts'
import { acceptTaskRun, type TaskRunDeps } from './start.ts'

type TaskDeps = TaskRunDeps & Pick<TurnDeps, 'startTurn' | 'log'>

export function createTaskRunActivities(deps: TaskDeps) {
  return {
    /** Records the run of a fire. Returns its id, or null if there is no run to start. Safe to run again. */
    recordFire: (fire: { fireId: string; taskId: string }): Promise<string | null> =>
      withHeartbeat(() => recordFire(deps, fire)),

    /** Sets the run to EXECUTING. Returns true if its chat run must be started. Safe to run again. */
    beginTaskRun: ({ runId }: { runId: string }): Promise<boolean> =>
      withHeartbeat(() => deps.db.begin((tx) => beginJobRow(tx, runId))),

    /** Makes one attempt to start the chat run, which then runs independently. Safe to run again: a run has one chat run. */
    startTaskRun: ({ runId }: { runId: string }): Promise<void> =>
      withHeartbeat(() =>
        runAttempt(deps, { runId, error: startErrors.failed }, async () => {
          const chatRunId = await acceptTaskRun(deps, runId)
          if (chatRunId === undefined) return
          await deps.startTurn(chatRunId, { headless: true }).catch((error: unknown) => {
            deps.log.warn(
              { err: error, runId: chatRunId },
              'failed to start a chat run; it stays queued, and a sweep starts it',
            )
          })
        }),
      ),
  }
}
