import { z } from 'zod'
import type { Config } from '../../config.ts'
import { changeTask, findTask, restoreTask, type TaskChanges } from '../../db/tasks/tasks.ts'
import { approvalsSchema } from '../../domain/chat/approvals.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { isEnabled, taskFields, type Task } from '../../domain/tasks/tasks.ts'
import { lockArtistAgainstDelete, requireArtist, resolveAccount } from '../access/access.ts'
import type { WorkDeps } from '../deps.ts'
import { modelChoice } from '../chat/model-choice.ts'
import { route, type Caller, type Route } from '../http/route.ts'
import { routeDefaults, scheduleSyncTimeoutMs, tasksResponse } from './route-defaults.ts'
import { requireAllowance } from './gate.ts'
import { requireTask } from './owned.ts'
import { respondWithTasks } from './show.ts'
import { createSyncError, syncLater, syncSchedule } from './sync.ts'
import { notFound } from '../http/errors.ts'

type Body = z.output<ReturnType<typeof createBodySchema>>

type TaskUpdate = { before: Task; after: Task }

export function updateRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    envelope: 'tasks',
    summary: 'Change a scheduled task',
    description:
      'Fields that are not sent remain unchanged. Returns when Temporal has applied the schedule; if that fails, the task is not changed.',
    waitMs: scheduleSyncTimeoutMs,
    ownership:
      'Tasks of the caller or of an account that the caller may act for. account_id selects the account to act for ' +
      'and does not change the owner.',
    example: { id: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42', schedule: '0 9 * * 1', enabled: true },
    body: createBodySchema(deps.config),
    responses: { 200: tasksResponse },
    errors: ['plan_limit', 'forbidden', 'not_found'],
    // Removing required approvals widens access: an agent must not remove the approvals of a task.
    widensAccess: ({ body }) => body.approvals !== undefined,
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: async ({ caller, body }) => {
      const task = await requireAccessibleTask(deps, caller, body)
      const changes = toChanges(body)
      const isUnchanged = Object.keys(changes).length === 0
      return respondWithTasks(deps, [isUnchanged ? task : await change(deps, caller, task.id, changes)])
    },
  })
}

function createBodySchema(config: Config) {
  return z.strictObject({
    id: uuid,
    title: taskFields.title.optional(),
    prompt: taskFields.prompt.optional(),
    schedule: taskFields.schedule.optional(),
    model: modelChoice(config).optional(),
    timezone: taskFields.timezone.optional(),
    account_id: uuid.optional(),
    artist_account_id: uuid.optional(),
    enabled: z.boolean().nullable().optional(),
    approvals: approvalsSchema.nullable().optional(),
  })
}

async function requireAccessibleTask(deps: WorkDeps, caller: Caller, body: Body): Promise<Task> {
  const task = await requireTask(deps, caller, body.id)
  if (body.artist_account_id !== undefined) await requireArtist(deps, caller, task.accountId, body.artist_account_id)
  return task
}

/** Returns only the fields that the request contains. */
function toChanges({
  title,
  prompt,
  schedule,
  model,
  timezone,
  artist_account_id,
  enabled,
  approvals,
}: Body): TaskChanges {
  return Object.fromEntries(
    Object.entries({
      title,
      prompt,
      schedule,
      model,
      timezone,
      artistId: artist_account_id,
      enabled,
      approvals,
    }).filter(([, value]) => value !== undefined),
  )
}

async function change(deps: WorkDeps, caller: Caller, taskId: string, changes: TaskChanges): Promise<Task> {
  const update = await changeRow(deps, caller, taskId, changes)
  if (!needsSync(update, changes)) return update.after
  try {
    await syncSchedule(deps, taskId)
  } catch (error) {
    await restoreTask(deps.db, update.before, update.after)
    syncLater(deps, taskId)
    throw createSyncError(error)
  }
  return update.after
}

/** Applies changes to the current row. Repeats if a concurrent request has changed the row. */
async function changeRow(
  deps: WorkDeps,
  { origin }: Caller,
  taskId: string,
  changes: TaskChanges,
): Promise<TaskUpdate> {
  for (;;) {
    const before = await findTask(deps.db, taskId)
    if (before === undefined) throw notFound('Task')
    const after = await deps.db.begin(async (tx) => {
      const becomesEnabled = !isEnabled(before) && isEnabled({ ...before, ...changes })
      await requireAllowance(tx, deps.config, {
        ownerId: before.accountId,
        taskId,
        addsEnabledTask: becomesEnabled,
        schedule: changes.schedule,
      })
      if (changes.artistId !== undefined) await lockArtistAgainstDelete(tx, changes.artistId)
      return changeTask(tx, before, changes, origin)
    })
    if (after !== undefined) return { before, after }
  }
}

function needsSync({ before, after }: TaskUpdate, { schedule, timezone }: TaskChanges): boolean {
  return isEnabled(after)
    ? before.scheduleId === null || schedule !== undefined || timezone !== undefined
    : before.scheduleId !== null
}
