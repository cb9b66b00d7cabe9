import type { Client } from '@temporalio/client'
import { toHeavyQueue } from '../workflows/messages.ts'

/** Backlog of a task queue, without the workflow tasks in the sticky queues of single workers. */
export type TaskQueueDepth = {
  name: string
  type: 'workflow' | 'activity'
  backlog: number
  oldestSeconds: number
  addedPerSecond: number
  takenPerSecond: number
  pollers: number
}

const types = { workflow: 1, activity: 2 } as const

/** Returns the backlog of the task queues. Rejects if Temporal does not respond in time. */
export function describeTaskQueues(client: Client, taskQueue: string, timeoutMs: number): Promise<TaskQueueDepth[]> {
  const queues = [
    { name: taskQueue, type: 'workflow' },
    { name: taskQueue, type: 'activity' },
    { name: toHeavyQueue(taskQueue), type: 'activity' },
  ] as const
  return client.connection.withDeadline(Date.now() + timeoutMs, () =>
    Promise.all(queues.map((queue) => describe(client, queue))),
  )
}

async function describe(
  { workflowService, options: { namespace } }: Client,
  { name, type }: Pick<TaskQueueDepth, 'name' | 'type'>,
): Promise<TaskQueueDepth> {
  const { stats, pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType: types[type],
    reportStats: true,
  })
  const age = stats?.approximateBacklogAge
  return {
    name,
    type,
    backlog: Number(stats?.approximateBacklogCount ?? 0),
    oldestSeconds: Number(age?.seconds ?? 0) + (age?.nanos ?? 0) / 1e9,
    addedPerSecond: stats?.tasksAddRate ?? 0,
    takenPerSecond: stats?.tasksDispatchRate ?? 0,
    pollers: pollers?.length ?? 0,
  }
}
