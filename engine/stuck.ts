import type { Client } from '@temporalio/client'
import { foreignBuild } from '../workflows/messages.ts'

/** Values of Temporal's enumerations: a started activity, or one with a cancel request; a non-deterministic history. */
const running = new Set<number | null | undefined>([2, 3])
const nonDeterminism = 24

/** Events to search for the failure: signals to a stuck workflow are written after it. */
const lastEvents = 50

/** Workers report only the first failure of a task, so the cause of later failures, perhaps on another build, is unknown. */
const stuckAttempt = 5

/** Why a workflow cannot continue: its history was written by other code, or its task fails repeatedly. */
export type Trouble = 'foreign' | 'failing'

/** Undefined for a workflow that makes progress, or whose state is not yet clear. */
export async function findTrouble(client: Client, workflowId: string): Promise<Trouble | undefined> {
  const attempts = await attemptsAt(client, workflowId)
  if (attempts < 2) return undefined
  const { workflowService, options } = client
  const latest = { namespace: options.namespace, execution: { workflowId }, maximumPageSize: lastEvents }
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse(latest)
  const last = history?.events?.find(
    (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskCompletedEventAttributes,
  )
  const failed = last?.workflowTaskFailedEventAttributes
  const cause: number | null | undefined = failed?.cause
  if (cause === nonDeterminism || failed?.failure?.message?.includes(`${foreignBuild}: `) === true) return 'foreign'
  return attempts >= stuckAttempt ? 'failing' : undefined
}

/** Attempts of the workflow task; 0 while an activity runs, because then no workflow task is due. */
async function attemptsAt({ workflowService, options }: Client, workflowId: string): Promise<number> {
  const request = { namespace: options.namespace, execution: { workflowId } }
  const { pendingWorkflowTask, pendingActivities } = await workflowService.describeWorkflowExecution(request)
  return pendingActivities?.some(({ state }) => running.has(state)) ? 0 : (pendingWorkflowTask?.attempt ?? 0)
}
