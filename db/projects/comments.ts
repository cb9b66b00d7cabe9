import type { Page } from '../../domain/fields/pages.ts'
import type { Comment } from '../../domain/projects/project.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { readPage, type LimitedPage } from '../postgres/pages.ts'

/** Adds a comment to a task. Undefined when the project has no such task. */
export async function insertComment(
  tx: Tx,
  { projectId, taskId, actorId }: { projectId: string; taskId: string; actorId: string },
  body: string,
): Promise<Comment | undefined> {
  const [comment] = await tx<Comment[]>`
    with task as (select id from project_tasks where id = ${taskId} and project_id = ${projectId} for key share)
    insert into project_task_comments as comment (task_id, account_id, body) select id, ${actorId}::uuid, ${body} from task
    returning ${commentColumns(tx)}`
  return comment
}

/** Returns the comments of a task, oldest first. */
export function listComments(db: Db, taskId: string, { limit, offset }: Page): Promise<LimitedPage<Comment>> {
  const page = db`
    select ${commentColumns(db)} from project_task_comments comment where task_id = ${taskId}
    order by created_at, id limit ${limit} offset ${offset}`
  return readPage(db, page, offset)
}

function commentColumns(db: Db | Tx) {
  return db`
    comment.id, task_id, account_id, (select name from accounts where id = account_id) as author_name, body, created_at`
}
