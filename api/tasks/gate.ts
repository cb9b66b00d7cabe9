import type { Config } from '../../config.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { isAllowedInterval, readTaskAllowance, type TaskAllowance } from '../../db/tasks/allowance.ts'
import { lockOwner } from '../../db/tasks/tasks.ts'
import { formatMinutes } from '../../domain/fields/durations.ts'
import { ApiError } from '../http/errors.ts'

type Limit = 'task_count' | 'min_cadence'

const allowanceSentence: Record<Limit, (allowance: TaskAllowance) => string> = {
  task_count: ({ plan, taskLimit }) => `The ${plan} plan allows ${formatTaskCount(taskLimit ?? 0)}.`,
  min_cadence: ({ plan, minGapMinutes }) =>
    `The ${plan} plan requires at least ${formatMinutes(minGapMinutes)} between two runs of a task.`,
}

export type AllowanceCheck = {
  /** Owner of the task, whose plan applies. */
  ownerId: string
  /** Id of an existing task, which is not counted. */
  taskId?: string
  /** Whether the change adds an enabled task to the account. */
  addsEnabledTask: boolean
  /** The new cron expression; undefined if it does not change. */
  schedule: string | undefined
}

/**
 * Throws 402 if the owner's plan does not allow the change. Checks the task count first. Locks the owner until the
 * transaction ends, so that concurrent changes cannot exceed the limit together.
 */
export async function requireAllowance(
  tx: Tx,
  config: Config,
  { ownerId, taskId, addsEnabledTask, schedule }: AllowanceCheck,
): Promise<void> {
  if (!addsEnabledTask && schedule === undefined) return
  await lockOwner(tx, ownerId)
  const allowance = await readTaskAllowance(tx, { accountId: ownerId, except: taskId ?? null, plans: config.plans })
  const { taskLimit, enabledCount } = allowance
  if (addsEnabledTask && taskLimit !== null && enabledCount >= taskLimit)
    throw planLimit(config, 'task_count', allowance)
  if (schedule !== undefined && !isAllowedInterval(schedule, allowance))
    throw planLimit(config, 'min_cadence', allowance)
}

function formatTaskCount(count: number): string {
  return `${count} enabled ${count === 1 ? 'task' : 'tasks'}`
}

/** Creates the 402 error for a plan limit. */
function planLimit({ billingUrl }: Config, limit: Limit, allowance: TaskAllowance): ApiError {
  return new ApiError('plan_limit', 'plan_limit', {
    body: {
      status: 'error',
      error: 'plan_limit',
      limit,
      message: allowanceSentence[limit](allowance),
      plan: allowance.plan,
      task_limit: allowance.taskLimit,
      min_cadence_minutes: allowance.minGapMinutes,
      current_task_count: allowance.enabledCount,
      billingUrl,
    },
  })
}
