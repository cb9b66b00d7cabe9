import type { Db } from '../../db/postgres/client.ts'
import { findTask } from '../../db/tasks/tasks.ts'
import { buildSchedule, type TaskSchedule } from '../../domain/tasks/tasks.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { logFailure } from '../runs/engine.ts'

/** Creates the error for a change that was not made because Temporal failed to apply its schedule. */
export function createSyncError(cause: unknown): ApiError {
  return new ApiError('internal', 'Internal server error', { cause })
}

/** Updates the schedule of a task in Temporal to match its row. */
export function syncSchedule({ db, engine }: WorkDeps, taskId: string): Promise<void> {
  return engine.followSchedule(taskId, () => readDesiredSchedule(db, taskId))
}

/** Like `syncSchedule`, but in the background, for use after a failure. The reconciler retries a failed update. */
export function syncLater(deps: WorkDeps, taskId: string): void {
  const sync = syncSchedule(deps, taskId)
  logFailure(deps, sync, { taskId }, 'failed to update the schedule of a task; the reconciler repairs it')
}

/** Returns the schedule that the task's row requires now. */
async function readDesiredSchedule(db: Db, taskId: string): Promise<TaskSchedule | undefined> {
  const task = await findTask(db, taskId)
  return task && buildSchedule(task)
}
