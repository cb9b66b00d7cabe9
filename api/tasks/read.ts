import { z } from 'zod'
import { toTaskResponse, taskSchema } from '../../domain/tasks/tasks.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, tasksResponse } from './route-defaults.ts'
import { readRelations, respondWithTasks } from './show.ts'
import { requireTask } from './owned.ts'
import { listTasks } from '../../db/tasks/tasks.ts'
import { nextOffsetField, toNextOffset, pageQuery } from '../../domain/fields/pages.ts'
import { isAdmin, resolveAccount } from '../access/access.ts'

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

const query = z.object({
  id: uuid.optional(),
  account_id: uuid.optional(),
  artist_account_id: uuid.optional(),
  enabled: z.enum(['true', 'false']).optional(),
  ...pageQuery(100, 100),
})

export function listRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    envelope: 'standard',
    summary: 'List scheduled tasks, newest first',
    description: 'An `id` that is not a task of the account gives an empty list.',
    ownership:
      'Tasks of the caller or of an account that the caller may act for. An admin who sends only an id finds the task of any owner.',
    query,
    responses: { 200: tasksResponse.extend({ next_offset: nextOffsetField }) },
    errors: ['forbidden'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, query }) => {
      const { id, account_id: accountId, artist_account_id: artistId, enabled, limit, offset } = query
      const isAnyOwner = id !== undefined && accountId === undefined && (await isAdmin(deps, caller))
      const { rows, nextOffset } = await listTasks(deps.db, {
        accountId: isAnyOwner ? undefined : (accountId ?? caller.accountId),
        id,
        artistId,
        enabled: enabled === undefined ? undefined : enabled === 'true',
        limit,
        offset,
      })
      const response = await respondWithTasks(deps, rows)
      return { ...response, body: { ...response.body, ...toNextOffset(nextOffset) } }
    },
  })
}
