import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { connectClient } from '../../../engine/connect.ts'
import type { WorkflowRecord } from './records.ts'

/**
 * Maximum time from the transaction that ends a run to the end of its workflow. A sweep terminates the workflow of an ended
 * run if another build began it and only that build could continue it.
 */
const maxClosingMs = 40_000
const pollMs = 100
/** Number of fetched histories. For other workflows, the largest payload is 0. */
const sampleSize = 50
const maxConcurrency = 10

/** Returns the size in bytes of the largest payload anywhere in a history event. */
const measureLargestPayload = (value: unknown): number => {
  if (value instanceof Uint8Array) return value.byteLength
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((largest, member) => Math.max(largest, measureLargestPayload(member)), 0)
}

const readPayloads = async (client: Client, workflowId: string): Promise<number> => {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
  return measureLargestPayload(events)
}

const describe = async (client: Client, workflowId: string): Promise<WorkflowRecord | undefined> => {
  try {
    const description = await client.workflow.getHandle(workflowId).describe()
    return {
      workflowId,
      status: description.status.name,
      startedAt: description.startTime.getTime(),
      closedAt: description.closeTime?.getTime() ?? null,
      events: description.historyLength,
      largestPayload: 0,
    }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

/** Whether a workflow is in the sample. Every n-th workflow is, so that the sample covers the whole period. */
const isSampled = (index: number, count: number): boolean =>
  count <= sampleSize || Math.floor((index * sampleSize) / count) !== Math.floor(((index - 1) * sampleSize) / count)

const describeEnded = async (client: Client, id: string, deadline: number): Promise<WorkflowRecord | undefined> => {
  for (;;) {
    const record = await describe(client, id)
    if (record?.closedAt !== null || Date.now() > deadline) return record
    await sleep(pollMs)
  }
}

/** Collects the workflows of runs from the engine. A run whose workflow never started has no record. */
export const collectWorkflows = async (
  engine: { temporalAddress: string; namespace: string },
  runIds: readonly string[],
): Promise<WorkflowRecord[]> => {
  const connected = await connectClient({
    address: engine.temporalAddress,
    namespace: engine.namespace,
    tls: false,
  })
  try {
    const records: WorkflowRecord[] = []
    const deadline = Date.now() + maxClosingMs
    const collectOne = async (workflowId: string, index: number): Promise<void> => {
      const record = await describeEnded(connected.client, workflowId, deadline)
      if (record === undefined) return
      if (isSampled(index, runIds.length)) record.largestPayload = await readPayloads(connected.client, workflowId)
      records.push(record)
    }
    for (let start = 0; start < runIds.length; start += maxConcurrency)
      await Promise.all(runIds.slice(start, start + maxConcurrency).map((id, offset) => collectOne(id, start + offset)))
    return records
  } finally {
    await connected.close()
  }
}
