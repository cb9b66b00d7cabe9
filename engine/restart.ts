import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { defaultPayloadConverter, type Payload } from '@temporalio/common'

type Payloads = Record<string, Payload> | null | undefined

/** Memo key that counts the restarts of a workflow. */
const restartsKey = 'restarts'
/** Values of Temporal's enumerations: allow a duplicate of an ended workflow, terminate an open one. */
const allowDuplicate = 1
const terminateExisting = 3

/** Returns how often the workflow was restarted. */
export async function countRestarts({ workflowService, options }: Client, workflowId: string): Promise<number> {
  const request = { namespace: options.namespace, execution: { workflowId } }
  const { workflowExecutionInfo } = await workflowService.describeWorkflowExecution(request)
  return readRestartCount(workflowExecutionInfo?.memo?.fields)
}

/** Restarts a workflow with its original input, in place of the open one. `restart` counts from 1. */
export async function restartWorkflow(
  { workflowService, options }: Client,
  workflowId: string,
  restart: number,
): Promise<void> {
  const { namespace } = options
  const request = { namespace, execution: { workflowId }, maximumPageSize: 1 }
  const { history } = await workflowService.getWorkflowExecutionHistory(request)
  const startAttributes = history?.events?.[0]?.workflowExecutionStartedEventAttributes
  if (!startAttributes) throw new Error(`the history of ${workflowId} does not begin with its start`)
  const { workflowType, taskQueue, input, priority, workflowTaskTimeout, memo } = startAttributes
  await workflowService.startWorkflowExecution({
    namespace,
    workflowId,
    workflowType,
    // A sticky queue also contains the name of the normal queue.
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

function readRestartCount(fields: Payloads): number {
  const payload = fields?.[restartsKey]
  return payload ? defaultPayloadConverter.fromPayload<number>(payload) : 0
}
