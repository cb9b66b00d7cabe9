import type { Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { ifKnown } from './status.ts'

/** An activity that a worker has in its hands. */
export type HeldActivity = { workflowId: string; activityId: string; type: string }

/** A lost worker is no reason to wait, and the least that the engine knows. */
const nextRetryDelay = msToTs('1ms')

/** Number of the API's enumeration: a worker has taken it. */
const started = 2

const askedAtOnce = 8

/** Answers for a worker that died with this activity in its hands. An activity or workflow that is over is left alone. */
export async function reportLostActivity(client: Client, workflowId: string, activityId: string): Promise<void> {
  const { workflowService, options } = client
  const { namespace } = options
  const failure = { message: 'the worker was lost', applicationFailureInfo: { type: 'WorkerLost', nextRetryDelay } }
  await ifKnown(
    workflowService
      .respondActivityTaskFailedById({ namespace, workflowId, activityId, identity: 'survivor', failure })
      // Else the workflow task behind the repeated activity waits for the dead worker's sticky queue to time out.
      .then(() => workflowService.resetStickyTaskQueue({ namespace, execution: { workflowId } })),
  )
}

/** What the workers of these identities have taken of these workflows and, as far as the engine knows, not ended. */
export async function listHeldActivities(
  client: Client,
  workflowIds: readonly string[],
  isTheirs: (identity: string) => boolean,
): Promise<HeldActivity[]> {
  const held: HeldActivity[] = []
  const left = workflowIds.values()
  const ask = async (): Promise<void> => {
    for (const workflowId of left) held.push(...(await heldOf(client, workflowId, isTheirs)))
  }
  await Promise.all(Array.from({ length: askedAtOnce }, ask))
  return held
}

async function heldOf(
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
