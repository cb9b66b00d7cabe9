import { z } from 'zod'
import type { Tx } from '../../db/postgres/client.ts'
import { listComments } from '../../db/projects/comments.ts'
import { lockCollaborator, listCollaborators } from '../../db/projects/projects.ts'
import {
  countTasks,
  deleteTask,
  findTask,
  insertTask,
  listTasks,
  lockTask,
  updateTask,
} from '../../db/projects/tasks.ts'
import { countedPage, countedPagination, pageQuery } from '../../domain/fields/pages.ts'
import {
  toCollaboratorResponse,
  collaboratorSchema,
  toCommentResponse,
  commentSchema,
  embeddedListLimits,
  toTaskResponse,
  taskSchema,
} from '../../domain/projects/project.ts'
import { newTaskSchema, taskChangesSchema } from '../../domain/projects/request.ts'
import type { DbDeps } from '../deps.ts'
import { invalidField } from '../http/errors.ts'
import { route, success, created, type Route } from '../http/route.ts'
import {
  collaboratorOwnership,
  projectId,
  requireProject,
  routeDefaults,
  taskIds,
  projectNotFound,
} from './route-defaults.ts'
import { successOf } from '../../domain/fields/fields.ts'

const listPath = '/api/projects/{projectId}/tasks'
const path = '/api/projects/{projectId}/tasks/{taskId}'
const oneTask = successOf({ task: taskSchema })

export function listTasksRoute(deps: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: listPath,
    summary: 'List the tasks of a project, oldest first',
    ownership: collaboratorOwnership,
    params: projectId,
    query: z.object(pageQuery(500, 100, 1_000_000)),
    responses: { 200: successOf({ tasks: z.array(taskSchema), pagination: countedPagination }) },
    errors: ['not_found'],
    handle: async ({ caller, params, query: { limit, offset } }) => {
      const { id } = await requireProject(deps, caller, params.projectId)
      const [count, { rows, nextOffset }] = await Promise.all([
        countTasks(deps.db, id),
        listTasks(deps.db, id, { limit, offset }),
      ])
      return success({ tasks: rows.map(toTaskResponse), pagination: countedPage(count, { limit, offset }, nextOffset) })
    },
  })
}

export function createTaskRoute(deps: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: listPath,
    summary: 'Add a task to a project',
    ownership: collaboratorOwnership,
    idempotent: 'before-validation',
    example: { title: 'Send the masters', due_date: '2026-03-02' },
    params: projectId,
    body: newTaskSchema,
    responses: { 201: oneTask },
    errors: ['not_found'],
    handle: async ({ caller, params, body, idempotency }) => {
      const { id } = await requireProject(deps, caller, params.projectId)
      return deps.db.begin(async (tx) => {
        await requireAssignee(tx, id, body.assignee_account_id)
        const task = toTaskResponse(await insertTask(tx, id, body))
        return idempotency.remember(tx, created(`/api/projects/${id}/tasks/${task.id}`, { task }))
      })
    },
  })
}

export function readTaskRoute(deps: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'Read a task of a project with its comments',
    description: `Returns its first ${embeddedListLimits.comments} comments, oldest first, and the first ${embeddedListLimits.collaborators} collaborators of the project.`,
    ownership: collaboratorOwnership,
    params: taskIds,
    responses: {
      200: successOf({
        task: taskSchema,
        comments: z.array(commentSchema),
        collaborators: z.array(collaboratorSchema),
      }),
    },
    errors: ['not_found'],
    handle: async ({ caller, params }) => {
      const { id } = await requireProject(deps, caller, params.projectId)
      const [task, comments, people] = await Promise.all([
        findTask(deps.db, id, params.taskId),
        listComments(deps.db, params.taskId, { limit: embeddedListLimits.comments, offset: 0 }),
        listCollaborators(deps.db, id, { limit: embeddedListLimits.collaborators, offset: 0 }),
      ])
      if (task === undefined) throw projectNotFound()
      return success({
        task: toTaskResponse(task),
        comments: comments.rows.map(toCommentResponse),
        collaborators: people.map(toCollaboratorResponse),
      })
    },
  })
}

export function updateTaskRoute(deps: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    path,
    summary: 'Change or complete a task of a project',
    description: 'Completing a task records the caller, unless the task was completed before.',
    ownership: collaboratorOwnership,
    example: { completed: true },
    params: taskIds,
    body: taskChangesSchema,
    responses: { 200: oneTask },
    errors: ['not_found'],
    handle: async ({ caller, params, body }) => {
      const { id } = await requireProject(deps, caller, params.projectId)
      const task = await deps.db.begin(async (tx) => {
        if (!(await lockTask(tx, id, params.taskId))) throw projectNotFound()
        await requireAssignee(tx, id, body.assignee_account_id ?? null)
        return updateTask(tx, { id: params.taskId, actorId: caller.accountId }, body)
      })
      return success({ task: toTaskResponse(task) })
    },
  })
}

export function deleteTaskRoute(deps: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path,
    summary: 'Delete a task of a project with its comments',
    ownership: collaboratorOwnership,
    params: taskIds,
    responses: { 200: successOf({ id: z.guid() }) },
    errors: ['not_found'],
    handle: async ({ caller, params: { projectId, taskId } }) => {
      const { id } = await requireProject(deps, caller, projectId)
      if (!(await deleteTask(deps.db, id, taskId))) throw projectNotFound()
      return success({ id: taskId })
    },
  })
}

async function requireAssignee(tx: Tx, projectId: string, accountId: string | null): Promise<void> {
  if (accountId === null || (await lockCollaborator(tx, projectId, accountId))) return
  throw invalidField('assignee_account_id must be a collaborator of the project', 'assignee_account_id')
}
