import type { Config } from '../../config.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { keepsCadence, readTaskAllowance, type TaskAllowance } from '../../db/tasks/allowance.ts'
import { lockOwner } from '../../db/tasks/tasks.ts'
import { formatMinutes } from '../../domain/fields/durations.ts'
import { ApiError } from '../http/errors.ts'

type Limit = 'task_count' | 'min_cadence'

const allowanceSentence: Record<Limit, (allowance: TaskAllowance) => string> = {
  task_count: ({ plan, taskLimit }) => `The ${plan} plan allows ${tasksWord(taskLimit ?? 0)}.`,
  min_cadence: ({ plan, minGapMinutes }) =>
    `The ${plan} plan allows a task to run at most once in ${formatMinutes(minGapMinutes)}.`,
}

export type GateQuestion = {
  /** Owner of the task, whose plan applies. */
  ownerId: string
  /** Id of the task, if it has a row. */
  taskId?: string
  /** Whether it becomes an additional enabled task. */
  counts: boolean
  /** The cron expression, if it is new. */
  schedule: string | undefined
}

/**
 * Refuses what the owner's plan does not allow, and locks the owner until the transaction ends. The task count is
 * checked first.
 */
export async function requireAllowance(
  tx: Tx,
  config: Config,
  { ownerId, taskId, counts, schedule }: GateQuestion,
): Promise<void> {
  if (!counts && schedule === undefined) return
  await lockOwner(tx, ownerId)
  const allowance = await readTaskAllowance(tx, { accountId: ownerId, except: taskId ?? null, plans: config.plans })
  const { taskLimit, enabledCount } = allowance
  if (counts && taskLimit !== null && enabledCount >= taskLimit) throw planLimit(config, 'task_count', allowance)
  if (schedule !== undefined && !keepsCadence(schedule, allowance)) throw planLimit(config, 'min_cadence', allowance)
}

function tasksWord(count: number): string {
  return `${count} enabled ${count === 1 ? 'task' : 'tasks'}`
}

/** The 402 for a plan limit. */
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
