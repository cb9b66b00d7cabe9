import { z } from 'zod'
import { findTask } from '../../db/tasks/tasks.ts'
import { toTaskResponse, taskSchema } from '../../domain/tasks/tasks.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { mayActFor } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, type Route } from '../http/route.ts'
import { taskNotFound } from './owned.ts'
import { routeDefaults } from './route-defaults.ts'
import { readRelations } from './show.ts'

export function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/tasks/{id}',
    envelope: 'standard',
    summary: 'Read a scheduled task',
    ownership: 'A task of the caller or of an account that the caller may act for.',
    params: z.object({ id: uuid }),
    responses: { 200: z.object({ status: z.literal('success'), task: taskSchema }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { id } }) => {
      const task = await findTask(deps.db, id)
      if (task === undefined) throw taskNotFound()
      if (!(await mayActFor(deps, caller, task.accountId))) throw new ApiError('forbidden', 'Forbidden')
      const relations = await readRelations(deps, [task])
      const taskResponse = toTaskResponse(task, relations(task), deps.config.PRODUCTION_MODE, new Date())
      return { status: 200, body: { status: 'success', task: taskResponse } }
    },
  })
}
