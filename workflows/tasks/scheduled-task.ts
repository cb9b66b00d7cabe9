import { CancellationScope, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { brief } from '../runtime/brief-work.ts'
import { isWorkerLost } from '../runtime/lost-worker.ts'
import type { ScheduledTaskInput } from './messages.ts'

const { beginTaskRun, endBackgroundRun } = proxyActivities<Activities>({
  ...brief,
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

const { startTaskRun } = proxyActivities<Activities>({
  ...brief,
  // It waits for a database that is away.
  startToCloseTimeout: '6m',
  retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 3 },
})

type End = Parameters<Activities['endBackgroundRun']>[0]['end']

/**
 * One run of a scheduled task, due by its schedule (the workflow id is then the run id) or asked for. Over as soon as the
 * chat run is accepted: the background run ends in the transaction that ends the chat run.
 */
export async function scheduledTask(input: ScheduledTaskInput): Promise<void> {
  const run = 'taskId' in input ? { runId: workflowInfo().workflowId, taskId: input.taskId } : input
  const { runId } = run
  try {
    if (await beginTaskRun(run)) await startTaskRun({ runId })
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
