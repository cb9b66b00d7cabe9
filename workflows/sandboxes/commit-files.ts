import { CancellationScope, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { heavyQueueOf, type JobInput } from '../messages.ts'

const { beginBackgroundRun, failFile, endCommitFiles } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

/** One commit a file, one after the other; a file that fails does not keep the others back. */
export async function commitFiles({ runId }: JobInput): Promise<void> {
  const { live, files } = await beginBackgroundRun({ runId })
  const asked = live ? files : 0
  for (let index = 0; index < asked; index++) {
    try {
      await heavy(3).commitFile({ runId, index })
    } catch {
      await CancellationScope.nonCancellable(() => failFile({ runId, index }))
    }
  }
  await CancellationScope.nonCancellable(async () => {
    // What cannot be deleted now expires.
    await heavy(5)
      .removeStaged({ runId })
      .catch(() => {})
    await endCommitFiles({ runId })
  })
}

function heavy(maximumAttempts: number): Pick<Activities, 'commitFile' | 'removeStaged'> {
  return proxyActivities<Activities>({
    taskQueue: heavyQueueOf(workflowInfo().taskQueue),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts },
  })
}
