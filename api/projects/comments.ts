import { z } from 'zod'
import { insertComment, listComments } from '../../db/projects/comments.ts'
import { findTask } from '../../db/projects/tasks.ts'
import { nextOffsetField, toNextOffset, pageQuery } from '../../domain/fields/pages.ts'
import { toCommentResponse, commentSchema } from '../../domain/projects/project.ts'
import { newCommentSchema } from '../../domain/projects/request.ts'
import type { DbDeps } from '../deps.ts'
import { route, success, created, type Route } from '../http/route.ts'
import { collaboratorOwnership, requireProject, routeDefaults, taskIds, projectNotFound } from './route-defaults.ts'
import { successOf } from '../../domain/fields/fields.ts'

const path = '/api/projects/{projectId}/tasks/{taskId}/comments'

export function listCommentsRoute(deps: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'List the comments on a task, oldest first',
    ownership: collaboratorOwnership,
    params: taskIds,
    query: z.object(pageQuery(500, 100, 1_000_000)),
    responses: { 200: successOf({ comments: z.array(commentSchema), next_offset: nextOffsetField }) },
    errors: ['not_found'],
    handle: async ({ caller, params, query }) => {
      const { id } = await requireProject(deps, caller, params.projectId)
      if ((await findTask(deps.db, id, params.taskId)) === undefined) throw projectNotFound()
      const { rows, nextOffset } = await listComments(deps.db, params.taskId, query)
      return success({ comments: rows.map(toCommentResponse), ...toNextOffset(nextOffset) })
    },
  })
}

export function commentRoute(deps: DbDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path,
    summary: 'Comment on a task',
    description: 'A comment is plain text and cannot be changed.',
    ownership: collaboratorOwnership,
    idempotent: 'before-validation',
    example: { body: 'The masters are with the plant.' },
    params: taskIds,
    body: newCommentSchema,
    responses: { 201: successOf({ comment: commentSchema }) },
    errors: ['not_found'],
    handle: async ({ caller, params: { projectId, taskId }, body, idempotency }) => {
      const { id } = await requireProject(deps, caller, projectId)
      return deps.db.begin(async (tx) => {
        const target = { projectId: id, taskId, actorId: caller.accountId }
        const comment = await insertComment(tx, target, body.body)
        if (comment === undefined) throw projectNotFound()
        return idempotency.remember(
          tx,
          created(`/api/projects/${id}/tasks/${taskId}/comments`, { comment: toCommentResponse(comment) }),
        )
      })
    },
  })
}
