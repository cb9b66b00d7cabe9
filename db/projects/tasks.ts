import type { Page } from '../../domain/fields/pages.ts'
import type { ProjectTask } from '../../domain/projects/project.ts'
import type { NewTask, TaskChanges } from '../../domain/projects/request.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { readPage, type LimitedPage } from '../postgres/pages.ts'

export async function insertTask(tx: Tx, projectId: string, task: NewTask): Promise<ProjectTask> {
  const { title, description, due_date: dueDate, assignee_account_id: assigneeId } = task
  const [row] = await tx<[ProjectTask]>`
    insert into project_tasks as task (project_id, title, description, due_date, assignee_account_id)
    values (${projectId}, ${title}, ${description}, ${dueDate}::text::date, ${assigneeId})
    returning ${taskColumns(tx)}`
  return row
}

/** Returns a task of this project. */
export async function findTask(db: Db, projectId: string, id: string): Promise<ProjectTask | undefined> {
  const [task] = await db<ProjectTask[]>`
    select ${taskColumns(db)} from project_tasks task where id = ${id} and project_id = ${projectId}`
  return task
}

/** Returns the tasks of a project, oldest first. */
export function listTasks(db: Db, projectId: string, { limit, offset }: Page): Promise<LimitedPage<ProjectTask>> {
  const page = db`
    select ${taskColumns(db)} from project_tasks task where project_id = ${projectId}
    order by created_at, id limit ${limit} offset ${offset}`
  return readPage(db, page, offset)
}

export async function countTasks(db: Db, projectId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from project_tasks where project_id = ${projectId}`
  return row.count
}

/** Locks a task until the transaction ends. Returns false when the project has no task with this id. */
export async function lockTask(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const rows = await tx`
    select from project_tasks where id = ${id} and project_id = ${projectId} for no key update`
  return rows.length > 0
}

/** Updates a locked task. Completing a completed task again keeps the original time and account. */
export async function updateTask(
  tx: Tx,
  { id, actorId }: { id: string; actorId: string },
  changes: TaskChanges,
): Promise<ProjectTask> {
  const { title, description, due_date: dueDate, assignee_account_id: assigneeId, completed } = changes
  const [task] = await tx<[ProjectTask]>`
    update project_tasks task set
      title = coalesce(${title ?? null}, title),
      description = case when ${description !== undefined} then ${description ?? null} else description end,
      due_date = case when ${dueDate !== undefined} then ${dueDate ?? null}::text::date else due_date end,
      assignee_account_id =
        case when ${assigneeId !== undefined} then ${assigneeId ?? null}::uuid else assignee_account_id end,
      completed_at = case when ${completed === undefined} then completed_at
        when ${completed === true} then coalesce(completed_at, now()) end,
      completed_by = case when ${completed === undefined} or (${completed === true} and completed_at is not null)
        then completed_by when ${completed === true} then ${actorId}::uuid end
    where id = ${id} returning ${taskColumns(tx)}`
  return task
}

/** Deletes the task with its comments. Returns false when the project has no such task. */
export async function deleteTask(db: Db, projectId: string, id: string): Promise<boolean> {
  const { count } = await db`delete from project_tasks where id = ${id} and project_id = ${projectId}`
  return count === 1
}

function taskColumns(db: Db | Tx) {
  return db`
    task.id, task.project_id, title, description, due_date::text as due_date, assignee_account_id, completed_at,
    completed_by, task.created_at, task.updated_at,
    (select count(*)::int from project_task_comments where task_id = task.id) as comment_count`
}
