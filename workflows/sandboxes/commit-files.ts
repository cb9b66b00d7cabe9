import { CancellationScope, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { toHeavyQueue, type JobInput } from '../messages.ts'

const { beginBackgroundRun, failFile, endCommitFiles } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

/** Makes one commit per file, in order. A file that fails does not block later files. */
export async function commitFiles({ runId }: JobInput): Promise<void> {
  const { live, files } = await beginBackgroundRun({ runId })
  const fileCount = live ? files : 0
  for (let index = 0; index < fileCount; index++) {
    try {
      await onHeavyQueue(3).commitFile({ runId, index })
    } catch {
      await CancellationScope.nonCancellable(() => failFile({ runId, index }))
    }
  }
  await CancellationScope.nonCancellable(async () => {
    // Files that cannot be deleted now expire later.
    await onHeavyQueue(5)
      .removeStaged({ runId })
      .catch(() => {})
    await endCommitFiles({ runId })
  })
}

function onHeavyQueue(maximumAttempts: number): Pick<Activities, 'commitFile' | 'removeStaged'> {
  return proxyActivities<Activities>({
    taskQueue: toHeavyQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts },
  })
}
