import type { Client, WorkflowHandle } from '@temporalio/client'
import { ifKnown } from '../../engine/status.ts'
import { eventually } from '../world/world.ts'

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>

/** History of a workflow, once it has ended. A run is accepted a moment before the engine has its workflow. */
export const endedHistory = async ({ workflow }: Client, workflowId: string): Promise<History> => {
  const handle = workflow.getHandle(workflowId)
  await eventually('the workflow', () => ifKnown(handle.fetchHistory()))
  await handle.result().catch(() => {})
  return handle.fetchHistory()
}
