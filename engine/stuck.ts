import type { Client } from '@temporalio/client'
import { foreignBuild } from '../workflows/messages.ts'

/** Values of Temporal's enumerations: states of a running activity, and the cause of a nondeterminism error. */
const runningStates = new Set<number | null | undefined>([2, 3])
const nonDeterminism = 24

/** Number of events to search for the failure, because signals to a stuck workflow are recorded after it. */
const lastEvents = 50

/** Attempt from which a task counts as stuck. Workers report only the first failure, so later failures have no known cause. */
const stuckAttempt = 5

/** Why a workflow cannot continue: its history was written by other code, or its task fails repeatedly. */
export type StuckReason = 'foreign' | 'failing'

/** Returns why a workflow is stuck; undefined if it makes progress or if its state is not clear yet. */
export async function findStuckReason(client: Client, workflowId: string): Promise<StuckReason | undefined> {
  const attempts = await countAttempts(client, workflowId)
  if (attempts < 2) return undefined
  const { workflowService, options } = client
  const latest = { namespace: options.namespace, execution: { workflowId }, maximumPageSize: lastEvents }
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse(latest)
  const lastEvent = history?.events?.find(
    (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskCompletedEventAttributes,
  )
  const failed = lastEvent?.workflowTaskFailedEventAttributes
  const cause: number | null | undefined = failed?.cause
  if (cause === nonDeterminism || failed?.failure?.message?.includes(`${foreignBuild}: `) === true) return 'foreign'
  return attempts >= stuckAttempt ? 'failing' : undefined
}

/** Returns the attempts at the workflow task; 0 while an activity runs, because then no workflow task is due. */
async function countAttempts({ workflowService, options }: Client, workflowId: string): Promise<number> {
  const request = { namespace: options.namespace, execution: { workflowId } }
  const { pendingWorkflowTask, pendingActivities } = await workflowService.describeWorkflowExecution(request)
  return pendingActivities?.some(({ state }) => runningStates.has(state)) ? 0 : (pendingWorkflowTask?.attempt ?? 0)
}
