import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { defaultPayloadConverter, type Payload } from '@temporalio/common'

type Payloads = Record<string, Payload> | null | undefined

/** Name in the memo of a workflow under which stands how often it was begun anew. */
const restartsKey = 'restarts'
/** Numbers of the API's enumerations: one that has ended may be started again, and one that is open is terminated. */
const allowDuplicate = 1
const terminateExisting = 3

/** How often the workflow was begun anew. */
export async function countRestarts({ workflowService, options }: Client, workflowId: string): Promise<number> {
  const request = { namespace: options.namespace, execution: { workflowId } }
  const { workflowExecutionInfo } = await workflowService.describeWorkflowExecution(request)
  return restartsIn(workflowExecutionInfo?.memo?.fields)
}

/** Begins a workflow anew with what it was begun with, in place of the one that is open. `restart` counts from 1. */
export async function restartWorkflow(
  { workflowService, options }: Client,
  workflowId: string,
  restart: number,
): Promise<void> {
  const { namespace } = options
  const request = { namespace, execution: { workflowId }, maximumPageSize: 1 }
  const { history } = await workflowService.getWorkflowExecutionHistory(request)
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes
  if (!started) throw new Error(`the history of ${workflowId} does not begin with its start`)
  const { workflowType, taskQueue, input, priority, workflowTaskTimeout, memo } = started
  await workflowService.startWorkflowExecution({
    namespace,
    workflowId,
    workflowType,
    // Of a queue that a worker has for itself, the common one is given as well.
    taskQueue: { name: taskQueue?.normalName || taskQueue?.name || '' },
    input,
    priority,
    workflowTaskTimeout,
    requestId: randomUUID(),
    identity: 'restart',
    workflowIdReusePolicy: allowDuplicate,
    workflowIdConflictPolicy: terminateExisting,
    memo: { fields: { ...memo?.fields, [restartsKey]: defaultPayloadConverter.toPayload(restart) } },
  })
}

function restartsIn(fields: Payloads): number {
  const payload = fields?.[restartsKey]
  return payload ? defaultPayloadConverter.fromPayload<number>(payload) : 0
}
