import { z } from 'zod'
import { deleteTask, findTask } from '../../db/tasks/tasks.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import type { WorkDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, scheduleSyncTimeoutMs } from './route-defaults.ts'
import { requireTask } from './owned.ts'
import { createSyncError } from './sync.ts'
import { throwAs } from '../http/errors.ts'

export function removeRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    envelope: 'standard',
    summary: 'Delete a scheduled task',
    description: 'Past runs remain readable, and a run in progress continues.',
    waitMs: scheduleSyncTimeoutMs,
    ownership: 'Tasks of the caller or of an account that the caller may act for.',
    example: { id: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42' },
    body: z.strictObject({ id: uuid }),
    responses: { 200: successOf({}) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, body }) => {
      const { id } = await requireTask(deps, caller, body.id)
      await removeTask(deps, id)
      return success({})
    },
  })
}

/**
 * Deletes the schedule, and then the row. If the row has changed after it was read, it is not deleted and both steps are
 * repeated, because the change may have created the schedule again.
 */
async function removeTask({ db, engine }: WorkDeps, id: string): Promise<void> {
  for (;;) {
    const task = await findTask(db, id)
    if (task === undefined) return
    await engine.removeSchedule(id).catch(throwAs(createSyncError))
    if (await deleteTask(db, task)) return
  }
}
