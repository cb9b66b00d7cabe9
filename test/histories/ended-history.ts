import { WorkflowNotFoundError, type Client, type WorkflowHandle } from '@temporalio/client'
import { eventually } from '../world/world.ts'

/** What happened in a workflow, once it has ended. A run is accepted a moment before the engine has its workflow. */
export const endedHistory = async ({ workflow }: Client, workflowId: string): ReturnType<WorkflowHandle['fetchHistory']> => {
  const handle = workflow.getHandle(workflowId)
  await eventually('the workflow', () =>
    handle.describe().then(
      () => true,
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return undefined
        throw error
      },
    ),
  )
  await handle.result().catch(() => {})
  return handle.fetchHistory()
}
