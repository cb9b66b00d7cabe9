import type { Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { undefinedIfNotFound } from './status.ts'

/** An activity that a worker has started and not completed. */
export type HeldActivity = { workflowId: string; activityId: string; type: string }

/** The shortest delay that Temporal accepts. */
const nextRetryDelay = msToTs('1ms')

/** Temporal's state of an activity that a worker has started. */
const startedState = 2

const maxConcurrentQueries = 8

/** Reports a dead worker's activity as failed. No-op for an activity or workflow that has ended. */
export async function reportLostActivity(client: Client, workflowId: string, activityId: string): Promise<void> {
  const { workflowService, options } = client
  const { namespace } = options
  const failure = { message: 'the worker was lost', applicationFailureInfo: { type: 'WorkerLost', nextRetryDelay } }
  await undefinedIfNotFound(
    workflowService
      .respondActivityTaskFailedById({ namespace, workflowId, activityId, identity: 'survivor', failure })
      // Otherwise the next workflow task waits until the dead worker's sticky queue times out.
      .then(() => workflowService.resetStickyTaskQueue({ namespace, execution: { workflowId } })),
  )
}

/** Lists the pending activities of these workflows that matching workers have started. */
export async function listHeldActivities(
  client: Client,
  workflowIds: readonly string[],
  isWorker: (identity: string) => boolean,
): Promise<HeldActivity[]> {
  const activities: HeldActivity[] = []
  const queue = workflowIds.values()
  const listNext = async (): Promise<void> => {
    for (const workflowId of queue) activities.push(...(await listHeldOfWorkflow(client, workflowId, isWorker)))
  }
  await Promise.all(Array.from({ length: maxConcurrentQueries }, listNext))
  return activities
}

async function listHeldOfWorkflow(
  client: Client,
  workflowId: string,
  isWorker: (identity: string) => boolean,
): Promise<HeldActivity[]> {
  const { namespace } = client.options
  const description = await undefinedIfNotFound(
    client.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } }),
  )
  return (description?.pendingActivities ?? []).flatMap(({ state, lastWorkerIdentity, activityId, activityType }) =>
    Number(state) === startedState && isWorker(lastWorkerIdentity ?? '') && typeof activityId === 'string'
      ? [{ workflowId, activityId, type: activityType?.name ?? '' }]
      : [],
  )
}
