import type { Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { ifKnown } from './status.ts'

/** An activity that a worker has started and not completed. */
export type HeldActivity = { workflowId: string; activityId: string; type: string }

/** Retries without delay: the shortest that Temporal accepts. */
const nextRetryDelay = msToTs('1ms')

/** Value of Temporal's enumeration: a worker has started it. */
const started = 2

const concurrentQueries = 8

/** Reports a dead worker's activity as failed. No-op for an activity or workflow that has ended. */
export async function reportLostActivity(client: Client, workflowId: string, activityId: string): Promise<void> {
  const { workflowService, options } = client
  const { namespace } = options
  const failure = { message: 'the worker was lost', applicationFailureInfo: { type: 'WorkerLost', nextRetryDelay } }
  await ifKnown(
    workflowService
      .respondActivityTaskFailedById({ namespace, workflowId, activityId, identity: 'survivor', failure })
      // Otherwise the next workflow task waits until the dead worker's sticky queue times out.
      .then(() => workflowService.resetStickyTaskQueue({ namespace, execution: { workflowId } })),
  )
}

/** Activities of these workflows that workers with these identities have started and, as far as Temporal knows, not ended. */
export async function listHeldActivities(
  client: Client,
  workflowIds: readonly string[],
  isTheirs: (identity: string) => boolean,
): Promise<HeldActivity[]> {
  const held: HeldActivity[] = []
  const left = workflowIds.values()
  const ask = async (): Promise<void> => {
    for (const workflowId of left) held.push(...(await listHeld(client, workflowId, isTheirs)))
  }
  await Promise.all(Array.from({ length: concurrentQueries }, ask))
  return held
}

async function listHeld(
  client: Client,
  workflowId: string,
  isTheirs: (identity: string) => boolean,
): Promise<HeldActivity[]> {
  const { namespace } = client.options
  const known = await ifKnown(
    client.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } }),
  )
  return (known?.pendingActivities ?? []).flatMap(({ state, lastWorkerIdentity, activityId, activityType }) =>
    Number(state) === started && isTheirs(lastWorkerIdentity ?? '') && typeof activityId === 'string'
      ? [{ workflowId, activityId, type: activityType?.name ?? '' }]
      : [],
  )
}
