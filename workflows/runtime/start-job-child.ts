import { ParentClosePolicy, startChild } from '@temporalio/workflow'
import { jobWorkflow } from '../messages.ts'

/** Starts the workflow of a stored job, unless it has already started. The started workflow outlives its parent. */
export async function startJobChild(jobKind: string, runId: string): Promise<void> {
  try {
    await startChild(jobWorkflow(jobKind).type, {
      workflowId: runId,
      args: [{ runId }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    })
  } catch (error) {
    if (!(error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError')) throw error
  }
}
