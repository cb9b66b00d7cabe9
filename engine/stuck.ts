import type { Client } from '@temporalio/client'
import { foreignBuild } from '../workflows/messages.ts'

/** Numbers of the API's enumerations: an activity that is started, or asked to end; a history of other code. */
const running = new Set<number | null | undefined>([2, 3])
const nonDeterminism = 24

/** How far back the failure may stand: what is told to a stuck workflow is written after it. */
const lastEvents = 50

/** Workers report only the first failure of a task: what it fails by later, on another build perhaps, nobody learns. */
const hopelessAttempt = 5

/** Why a workflow cannot go on: its code is not the code that wrote the history, or its task fails again and again. */
export type Trouble = 'foreign' | 'failing'

/** Undefined for a workflow that goes on, or of which nothing can be told yet. */
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
  return attempts >= hopelessAttempt ? 'failing' : undefined
}

/** Attempts at its workflow task; 0 while an activity runs, for then it is none of the workflow. */
async function attemptsAt({ workflowService, options }: Client, workflowId: string): Promise<number> {
  const request = { namespace: options.namespace, execution: { workflowId } }
  const { pendingWorkflowTask, pendingActivities } = await workflowService.describeWorkflowExecution(request)
  return pendingActivities?.some(({ state }) => running.has(state)) ? 0 : (pendingWorkflowTask?.attempt ?? 0)
}
