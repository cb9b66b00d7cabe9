import { shortestIntervalMinutes } from '../../domain/tasks/cron/cadence.ts'
import { parseCron } from '../../domain/tasks/cron/parse.ts'
import type { Plan, PlanRules } from '../../domain/credits/plans.ts'
import type { Task } from '../../domain/tasks/tasks.ts'
import type { Db } from '../postgres/client.ts'
import { readPlans } from '../credits/plans.ts'

/** Limits of an owner's plan, and current usage. */
export type TaskAllowance = {
  plan: Plan
  /** Maximum number of enabled tasks; null: unlimited. */
  taskLimit: number | null
  minGapMinutes: number
  /** Enabled tasks of the owner, without the task in question. */
  enabledCount: number
}

/**
 * Under `lockOwner` the count remains valid until the transaction ends. `except`: the task in question, if it has a
 * row.
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

/** True when the schedule keeps the minimum interval of the plan. */
export function isAllowedInterval(schedule: string, { minGapMinutes }: Pick<TaskAllowance, 'minGapMinutes'>): boolean {
  const cron = parseCron(schedule)
  return cron !== undefined && shortestIntervalMinutes(cron) >= minGapMinutes
}

/**
 * True when the plan still allows the task to run on schedule: its interval, and its rank among the oldest enabled
 * tasks.
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
