import { shortestIntervalMinutes } from '../../domain/tasks/cron/cadence.ts'
import { parseCron } from '../../domain/tasks/cron/parse.ts'
import type { Plan, PlanRules } from '../../domain/credits/plans.ts'
import type { Task } from '../../domain/tasks/tasks.ts'
import type { Db } from '../postgres/client.ts'
import { readPlans } from '../credits/plans.ts'

/** Limits of an owner's plan, and the owner's current usage. */
export type TaskAllowance = {
  plan: Plan
  /** Maximum number of enabled tasks; null: unlimited. */
  taskLimit: number | null
  minGapMinutes: number
  /** Number of the owner's enabled tasks, without the excluded task. */
  enabledCount: number
}

/**
 * Returns the limits and usage of an owner. After `lockOwner`, the count stays valid until the transaction ends. `except`:
 * id of a task to exclude.
 */
export async function readTaskAllowance(
  db: Db,
  { accountId, except = null, plans }: { accountId: string; except?: string | null; plans: PlanRules },
): Promise<TaskAllowance> {
  const { limits: plan } = await readPlans(db, accountId, plans)
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from tasks
    where account_id = ${accountId} and enabled is not false and id is distinct from ${except}`
  const { taskLimit, minGapMinutes } = plans.table[plan]
  return { plan, taskLimit, minGapMinutes, enabledCount: row.count }
}

/** Returns whether all intervals of the schedule have at least the minimum length of the plan. */
export function isAllowedInterval(schedule: string, { minGapMinutes }: Pick<TaskAllowance, 'minGapMinutes'>): boolean {
  const cron = parseCron(schedule)
  return cron !== undefined && shortestIntervalMinutes(cron) >= minGapMinutes
}

/**
 * Returns whether the plan still allows the task to run on schedule: its intervals are long enough, and it is among the
 * oldest enabled tasks within the limit.
 */
export async function mayFire(db: Db, task: Task, plans: PlanRules): Promise<boolean> {
  const { limits: plan } = await readPlans(db, task.accountId, plans)
  const { taskLimit, minGapMinutes } = plans.table[plan]
  return isAllowedInterval(task.schedule, { minGapMinutes }) && isWithinLimit(db, task, taskLimit)
}

async function isWithinLimit(db: Db, task: Task, taskLimit: number | null): Promise<boolean> {
  if (taskLimit === null) return true
  const [row] = await db<[{ older: number }]>`
    select count(*)::int as older from (
      select 1 from tasks where account_id = ${task.accountId} and enabled is not false
        and (created_at, id) < (select created_at, id from tasks where id = ${task.id})
      limit ${taskLimit}
    ) as before`
  return row.older < taskLimit
}
