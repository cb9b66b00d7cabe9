import type { Client } from '@temporalio/client'
import { foreignBuild } from '../workflows/messages.ts'

/** Numbers of the API's enumerations: an activity that is started, or asked to end; a history of other code. */
const running = new Set<number | null | undefined>([2, 3])
const nonDeterminism = 24

/** How far back the failure may stand: what is told to a stuck workflow is written after it. */
const lastEvents = 50

/** Workers report only the first failure of a task: what it fails by later, on another build perhaps, nobody learns. */
const hopelessAttempt = 5

/**
 * True when no activity runs and the workflow task fails: at once when the code is known not to be the code that wrote
 * the history, else when it has failed again and again.
 */
export const isStuck = async ({ workflowService, options }: Client, workflowId: string): Promise<boolean> => {
  const request = { namespace: options.namespace, execution: { workflowId } }
  const { pendingWorkflowTask, pendingActivities } = await workflowService.describeWorkflowExecution(request)
  const attempt = pendingWorkflowTask?.attempt ?? 0
  if (attempt < 2 || pendingActivities?.some(({ state }) => running.has(state))) return false
  if (attempt >= hopelessAttempt) return true
  const latest = { ...request, maximumPageSize: lastEvents }
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse(latest)
  const last = history?.events?.find(
    (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskCompletedEventAttributes,
  )
  const failed = last?.workflowTaskFailedEventAttributes
  const cause: number | null | undefined = failed?.cause
  return cause === nonDeterminism || failed?.failure?.message?.startsWith(foreignBuild) === true
}
