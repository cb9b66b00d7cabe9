import { CancellationScope, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { briefActivityOptions, databaseActivityOptions } from '../runtime/retries.ts'
import { isWorkerLost } from '../runtime/lost-worker.ts'
import { startJobChild } from '../runtime/start-job-child.ts'
import type { FireTaskInput, ScheduledTaskInput } from './messages.ts'

/** Job name of a scheduled task, as stored in its rows. */
const taskRunJob = 'scheduled-task'

const { recordFire, beginTaskRun, endBackgroundRun } = proxyActivities<Activities>(databaseActivityOptions)

const { startTaskRun } = proxyActivities<Activities>({
  ...briefActivityOptions,
  // Allows the activity to wait for an unavailable database.
  startToCloseTimeout: '6m',
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 3 },
})

type End = Parameters<Activities['endBackgroundRun']>[0]['end']

/**
 * Handles a fire of a task's schedule: records the due run and starts its workflow. A sweep starts the run if this start is
 * lost.
 */
export async function fireTask({ taskId }: FireTaskInput): Promise<void> {
  const runId = await recordFire({ fireId: workflowInfo().workflowId, taskId })
  if (runId !== null) await startJobChild(taskRunJob, runId)
}

/**
 * Runs a scheduled task, due or requested. The workflow ends when the chat run is accepted: the transaction that ends the
 * chat run also ends the background run.
 */
export async function scheduledTask({ runId }: ScheduledTaskInput): Promise<void> {
  try {
    if (await beginTaskRun({ runId })) await startTaskRun({ runId })
  } catch (error) {
    await CancellationScope.nonCancellable(() => endBackgroundRun({ runId, end: toEnd(error) }))
  }
}

function toEnd(error: unknown): End {
  if (isCancellation(error)) return { status: 'CANCELED' }
  return isWorkerLost(error)
    ? { status: 'CRASHED', error: { name: 'WorkerLost', message: 'The worker was lost at every attempt' } }
    : { status: 'FAILED', error: { name: 'StartFailed', message: 'The chat run could not be started' } }
}
