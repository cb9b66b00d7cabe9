import type { Db } from '../../db/postgres/client.ts'
import { findTask } from '../../db/tasks/tasks.ts'
import { scheduleOf, type TaskSchedule } from '../../domain/tasks/tasks.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** The change was taken back because the engine did not take it. */
export function notSynced(cause: unknown): ApiError {
  return new ApiError('internal', 'Internal server error', { cause })
}

/** Makes the schedule of a task what its row says. */
export function syncSchedule({ db, engine }: ApiDeps, taskId: string): Promise<void> {
  return engine.followSchedule(taskId, () => wantedSchedule(db, taskId))
}

/** The same behind an answer, where the engine has refused already: what fails here is left to the reconciler. */
export function syncLater(deps: ApiDeps, taskId: string): void {
  syncSchedule(deps, taskId).catch((error: unknown) =>
    deps.log.warn({ err: error, taskId }, 'a schedule does not match its task; it is repaired later'),
  )
}

/** The schedule that the row of a task asks for now. */
async function wantedSchedule(db: Db, taskId: string): Promise<TaskSchedule | undefined> {
  const task = await findTask(db, taskId)
  return task && scheduleOf(task)
}
