import { findTask } from '../../db/tasks/tasks.ts'
import type { Task } from '../../domain/tasks/tasks.ts'
import { mayActFor } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Caller } from '../http/route.ts'

/**
 * Returns a task of the caller or of an account that it may act for. Throws 404 for an unknown task, and 403 for a task of any
 * other account.
 */
export async function requireTask(deps: RouteDeps, caller: Caller, id: string): Promise<Task> {
  recordAuditObject(caller, id)
  const task = await findTask(deps.db, id)
  if (task === undefined) throw notFound('Task')
  if (!(await mayActFor(deps, caller, task.accountId))) throw new ApiError('forbidden', 'Forbidden')
  return task
}
