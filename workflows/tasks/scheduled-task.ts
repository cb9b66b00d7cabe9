import { CancellationScope, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { brief, storing } from '../runtime/retries.ts'
import { isWorkerLost } from '../runtime/lost-worker.ts'
import { startJob } from '../runtime/start-job.ts'
import type { FireTaskInput, ScheduledTaskInput } from './messages.ts'

/** The job of a scheduled task, as its rows name it. */
const taskRunJob = 'scheduled-task'

const { recordFire, beginTaskRun, endBackgroundRun } = proxyActivities<Activities>(storing)

const { startTaskRun } = proxyActivities<Activities>({
  ...brief,
  // It waits for a database that is away.
  startToCloseTimeout: '6m',
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 3 },
})

type End = Parameters<Activities['endBackgroundRun']>[0]['end']

/** A fire of a task's schedule: records the run that is due, and starts its workflow. A sweep starts one that is lost here. */
export async function fireTask({ taskId }: FireTaskInput): Promise<void> {
  const runId = await recordFire({ fireId: workflowInfo().workflowId, taskId })
  if (runId !== null) await startJob(taskRunJob, runId)
}

/**
 * One run of a scheduled task, due or requested. Over as soon as the chat run is accepted: the background run ends in the
 * transaction that ends the chat run.
 */
export async function scheduledTask({ runId }: ScheduledTaskInput): Promise<void> {
  try {
    if (await beginTaskRun({ runId })) await startTaskRun({ runId })
  } catch (error) {
    await CancellationScope.nonCancellable(() => endBackgroundRun({ runId, end: endOf(error) }))
  }
}

function endOf(error: unknown): End {
  if (isCancellation(error)) return { status: 'CANCELED' }
  return isWorkerLost(error)
    ? { status: 'CRASHED', error: { name: 'WorkerLost', message: 'The worker was lost at every try' } }
    : { status: 'FAILED', error: { name: 'StartFailed', message: 'The chat run could not be started' } }
}
