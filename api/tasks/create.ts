import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { deleteUnfinished, insertTask, type NewTask } from '../../db/tasks/tasks.ts'
import { approvalsSchema } from '../../domain/chat/approvals.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { taskFields, toTaskResponse } from '../../domain/tasks/tasks.ts'
import { lockArtistAgainstDelete, requireArtist, resolveAccount } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { WorkDeps } from '../deps.ts'
import { modelChoice } from '../chat/model-choice.ts'
import { route, success, type Caller, type Idempotency, type Route } from '../http/route.ts'
import { routeDefaults, scheduleSyncTimeoutMs, tasksResponse } from './route-defaults.ts'
import { requireAllowance } from './gate.ts'
import { readRelations } from './show.ts'
import { createSyncError, syncLater, syncSchedule } from './sync.ts'

export function createRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    envelope: 'standard',
    summary: 'Create a scheduled task',
    description: 'Returns when the schedule is active. If the schedule cannot be created, the task is not stored.',
    waitMs: scheduleSyncTimeoutMs,
    ownership:
      'The task belongs to the caller, or to the account named by account_id that the caller may act for. This account must ' +
      'have access to the artist. ' +
      'The key of a run can create tasks only for its own account, with its own approvals.',
    idempotent: true,
    example: {
      title: 'Weekly numbers',
      prompt: "Email me this week's streams.",
      schedule: '0 9 * * 1',
      timezone: 'Europe/Berlin',
      artist_account_id: '9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68',
    },
    body: createBodySchema(deps.config),
    responses: { 200: tasksResponse },
    errors: ['plan_limit', 'forbidden'],
    authorize: async ({ caller, body }) => {
      const accountId = await resolveAccount(deps, caller, body.account_id)
      await requireArtist(deps, caller, accountId, body.artist_account_id)
    },
    handle: async ({ caller, body, idempotency }) => {
      const { row, response } = await storeTask(deps, caller, idempotency, {
        id: randomUUID(),
        accountId: body.account_id ?? caller.accountId,
        artistId: body.artist_account_id,
        title: body.title,
        prompt: body.prompt,
        schedule: body.schedule,
        timezone: body.timezone,
        model: body.model ?? null,
        approvals: body.approvals ?? null,
      })
      recordAuditObject(caller, row.id)
      try {
        await syncSchedule(deps, row.id)
      } catch (error) {
        await deps.db.begin(async (tx) => {
          await deleteUnfinished(tx, row)
          await idempotency.forget(tx)
        })
        syncLater(deps, row.id)
        throw createSyncError(error)
      }
      return response
    },
  })
}

function createBodySchema(config: Config) {
  return z.strictObject({
    title: taskFields.title,
    prompt: taskFields.prompt,
    schedule: taskFields.schedule,
    artist_account_id: uuid,
    account_id: uuid.optional(),
    model: modelChoice(config).optional(),
    timezone: taskFields.timezone.default('UTC'),
    approvals: approvalsSchema.optional(),
  })
}

/** Stores the task and the response in one transaction. The task then exists even if the process is killed. */
async function storeTask(deps: WorkDeps, { origin }: Caller, idempotency: Idempotency, task: NewTask) {
  const { config, db } = deps
  const relations = await readRelations(deps, [task])
  return db.begin(async (tx) => {
    await requireAllowance(tx, config, { ownerId: task.accountId, addsEnabledTask: true, schedule: task.schedule })
    await lockArtistAgainstDelete(tx, task.artistId)
    const row = await insertTask(tx, task, origin)
    const response = success({ tasks: [toTaskResponse(row, relations(row), config.PRODUCTION_MODE)] })
    await idempotency.remember(tx, response)
    return { row, response }
  })
}
