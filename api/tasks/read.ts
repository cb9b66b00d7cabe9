import { z } from 'zod'
import { toTaskResponse, taskSchema } from '../../domain/tasks/tasks.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'
import { readRelations } from './show.ts'
import { requireTask } from './owned.ts'

export function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/tasks/{id}',
    envelope: 'standard',
    summary: 'Read a scheduled task',
    ownership: 'A task of the caller or of an account that the caller may act for.',
    params: z.object({ id: uuid }),
    responses: { 200: successOf({ task: taskSchema }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { id } }) => {
      const task = await requireTask(deps, caller, id)
      const relations = await readRelations(deps, [task])
      const taskResponse = toTaskResponse(task, relations(task), deps.config.PRODUCTION_MODE, new Date())
      return success({ task: taskResponse })
    },
  })
}
