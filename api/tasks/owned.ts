import { findTask } from '../../db/tasks/tasks.ts'
import type { Task } from '../../domain/tasks/tasks.ts'
import { mayActFor, refuseWorkForOthers } from '../access/access.ts'
import { noteObject } from '../access/audit.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

export function taskNotFound(): ApiError {
  return new ApiError('not_found', 'Task not found')
}

/** A task of the caller or of an account that it may act for: 404 when there is none, 403 when it is another's. A run changes and starts tasks of its own account only. */
export async function requireTask(deps: ApiDeps, caller: Caller, id: string): Promise<Task> {
  noteObject(caller, id)
  const task = await findTask(deps.db, id)
  if (task === undefined) throw taskNotFound()
  if (!(await mayActFor(deps, caller, task.accountId))) throw new ApiError('forbidden', 'Forbidden')
  refuseWorkForOthers(caller, task.accountId)
  return task
}
