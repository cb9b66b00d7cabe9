import { CancellationScope, condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { JobInput } from '../messages.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'
import { contentRunEnded } from './messages.ts'
import { pollTimes } from './times.ts'

const { beginBackgroundRun, areRunsEnded, concludeRuns, endPoll } = proxyActivities<Activities>(databaseActivityOptions)
const { reportRuns } = proxyActivities<Activities>({
  startToCloseTimeout: '40s',
  heartbeatTimeout: '8s',
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
})

/** Waits for the runs that a mention started, and reports their outcomes once. */
export async function pollContentRuns({ runId }: JobInput): Promise<void> {
  let isChanged = false
  setHandler(defineSignal(contentRunEnded), () => void (isChanged = true))
  const { live } = await beginBackgroundRun({ runId })
  // The sweeper reports for a polling run that ended before it began, because its videos may still complete.
  if (!live) return
  for (let rounds = 0; rounds < pollTimes.maxRounds && !(await areRunsEnded({ runId }));) {
    // A wake-up by a signal does not count as a round.
    if (!(await condition(() => isChanged, pollTimes.roundMs))) rounds++
    isChanged = false
  }
  await CancellationScope.nonCancellable(async () => {
    await concludeRuns({ runId })
    const isReported = await reportRuns({ runId }).then(
      () => true,
      () => false,
    )
    await endPoll({ runId, isReported })
  })
}
