import type { Client, WorkflowHandle } from '@temporalio/client'
import { undefinedIfNotFound } from '../../engine/status.ts'
import { eventually } from '../world/world.ts'

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>

/** Waits until a workflow exists and has ended. Returns its history. */
export const fetchEndedHistory = async ({ workflow }: Client, workflowId: string): Promise<History> => {
  const handle = workflow.getHandle(workflowId)
  await eventually('the workflow', () => undefinedIfNotFound(handle.fetchHistory()))
  await handle.result().catch(() => {})
  return handle.fetchHistory()
}
