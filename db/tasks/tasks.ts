import type { Origin } from '../../domain/runs/origin.ts'
import type { Page } from '../../domain/fields/pages.ts'
import { isEnabled, toScheduleId, type Task } from '../../domain/tasks/tasks.ts'
import { findRequiredApprovals } from '../runs/inherited.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { readPage, type LimitedPage } from '../postgres/pages.ts'

export async function findTask(db: Db, id: string): Promise<Task | undefined> {
  const [task] = await db<Task[]>`select ${columns(db)} from tasks where id = ${id}`
  return task
}

export async function readTask(db: Db, id: string): Promise<Task> {
  const task = await findTask(db, id)
  if (task === undefined) throw new Error(`task ${id} does not exist`)
  return task
}

/** Locks the owner of tasks until the transaction ends, so that its number of enabled tasks does not change. */
export async function lockOwner(tx: Tx, accountId: string): Promise<void> {
  await tx`select 1 from accounts where id = ${accountId} for no key update`
}

export type TaskFilter = Page & {
  /** Undefined: any owner. */
  accountId?: string | undefined
  id?: string | undefined
  artistId?: string | undefined
  enabled?: boolean | undefined
}

/** Returns tasks, newest first. */
export function listTasks(
  db: Db,
  { accountId, id, artistId, enabled, limit, offset }: TaskFilter,
): Promise<LimitedPage<Task>> {
  const page = db`
  select ${columns(db)} from tasks
  where true ${accountId === undefined ? db`` : db`and account_id = ${accountId}`}
    ${id === undefined ? db`` : db`and id = ${id}`}
    ${artistId === undefined ? db`` : db`and artist_account_id = ${artistId}`}
    ${enabled === undefined ? db`` : db`and (enabled is not false) = ${enabled}`}
  order by created_at desc, id limit ${limit} offset ${offset}`
  return readPage(db, page, offset)
}

export type NewTask = Pick<
  Task,
  'id' | 'accountId' | 'artistId' | 'title' | 'prompt' | 'schedule' | 'timezone' | 'model'
> &
  Partial<Pick<Task, 'approvals'>>

/**
 * Inserts an enabled task. The caller must create its schedule. A task that a run creates also requires the approvals that
 * the run requires.
 */
export async function insertTask(tx: Tx, task: NewTask, origin: Origin): Promise<Task> {
  const approvals = await findRequiredApprovals(tx, origin, task.approvals ?? null)
  const [row] = await tx<[Task]>`
    insert into tasks (
      id, account_id, artist_account_id, title, prompt, schedule, timezone, model, approvals, trigger_schedule_id
    ) values (
      ${task.id}, ${task.accountId}, ${task.artistId}, ${task.title}, ${task.prompt}, ${task.schedule},
      ${task.timezone}, ${task.model}, ${toJson(approvals)}::text::jsonb, ${toScheduleId(task.id)}
    ) returning ${columns(tx)}`
  return row
}

export type TaskChanges = Partial<
  Pick<Task, 'title' | 'prompt' | 'schedule' | 'timezone' | 'enabled' | 'model' | 'approvals' | 'artistId'>
>

/**
 * Changes a task if it still has the revision of `current`; otherwise, returns undefined. Only enabled tasks have a
 * schedule. A change by a run adds the approvals that the run requires.
 */
export async function changeTask(
  tx: Tx,
  current: Task,
  changes: TaskChanges,
  origin: Origin,
): Promise<Task | undefined> {
  const next = { ...current, ...changes }
  const approvals = await findRequiredApprovals(tx, origin, next.approvals)
  const [row] = await tx<Task[]>`
    update tasks set title = ${next.title}, prompt = ${next.prompt}, schedule = ${next.schedule},
      timezone = ${next.timezone}, enabled = ${next.enabled}, model = ${next.model},
      approvals = ${toJson(approvals)}::text::jsonb,
      artist_account_id = ${next.artistId}, trigger_schedule_id = ${isEnabled(next) ? toScheduleId(current.id) : null},
      revision = revision + 1, updated_at = now()
    where id = ${current.id} and account_id = ${current.accountId} and revision = ${current.revision}
    returning ${columns(tx)}`
  return row
}

/** Reverts a change, including its timestamp. Returns false when the task was changed afterwards. */
export async function restoreTask(db: Db, before: Task, changed: Task): Promise<boolean> {
  const restored = await db`
    update tasks set title = ${before.title}, prompt = ${before.prompt}, schedule = ${before.schedule},
      timezone = ${before.timezone}, enabled = ${before.enabled}, model = ${before.model},
      approvals = ${toJson(before.approvals)}::text::jsonb,
      artist_account_id = ${before.artistId}, trigger_schedule_id = ${before.scheduleId},
      revision = revision + 1, updated_at = ${before.updatedAt}
    where id = ${changed.id} and account_id = ${changed.accountId} and revision = ${changed.revision}`
  return restored.count === 1
}

/** Deletes a task. Returns false when it no longer has the revision of `current`. */
export async function deleteTask(db: Db, current: Task): Promise<boolean> {
  const deleted = await db`
    delete from tasks where id = ${current.id} and account_id = ${current.accountId} and revision = ${current.revision}`
  return deleted.count === 1
}

/** Deletes a task whose creation failed, regardless of its revision. */
export async function deleteUnfinished(tx: Tx, { id, accountId }: Task): Promise<void> {
  await tx`delete from tasks where id = ${id} and account_id = ${accountId}`
}

/** Returns the tasks with these ids that exist. */
export function listTasksById(db: Db, ids: readonly string[]): Promise<Task[]> {
  return db<Task[]>`select ${columns(db)} from tasks where id = any(${[...ids]}::uuid[])`
}

/** Returns enabled tasks of all accounts in order of their ids, starting after the id `after`. */
export function listEnabledAfter(db: Db, after: string | null, limit: number): Promise<Task[]> {
  return db<Task[]>`
  select ${columns(db)} from tasks
  where enabled is not false ${after === null ? db`` : db`and id > ${after}`}
  order by id limit ${limit}`
}

/** Records whether the task has a schedule, without changing its revision. */
export async function recordSchedule(db: Db, { id, accountId, revision, enabled }: Task): Promise<void> {
  const scheduleId = isEnabled({ enabled }) ? toScheduleId(id) : null
  await db`
    update tasks set trigger_schedule_id = ${scheduleId}
    where id = ${id} and account_id = ${accountId} and revision = ${revision}
      and trigger_schedule_id is distinct from ${scheduleId}`
}

function columns(db: Db) {
  return db`
  id, account_id, artist_account_id as artist_id, title, prompt, schedule, timezone, enabled, model,
  trigger_schedule_id as schedule_id, revision, created_at, updated_at, approvals`
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}
