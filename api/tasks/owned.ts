import { findTask } from '../../db/tasks.ts'
import type { Task } from '../../domain/tasks.ts'
import { mayActFor, refuseWorkForOthers } from '../access.ts'
import { noteObject } from '../audit.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { Caller } from '../route.ts'

export const taskNotFound = (): ApiError => new ApiError('not_found', 'Task not found')

/** A task of the caller or of an account that it may act for: 404 when there is none, 403 when it is another's. A run changes and starts tasks of its own account only. */
export const requireTask = async (deps: ApiDeps, caller: Caller, id: string): Promise<Task> => {
  noteObject(caller, id)
  const task = await findTask(deps.db, id)
  if (task === undefined) throw taskNotFound()
  if (!(await mayActFor(deps, caller, task.accountId))) throw new ApiError('forbidden', 'Forbidden')
  refuseWorkForOthers(caller, task.accountId)
  return task
}
