import {
  ActivityCancellationType,
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { JobInput } from '../messages.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'
import { fiveAttempts, providerActivityOptions, startWhenRoom } from '../provider-runs/provider-run.ts'
import { createRenderPolls } from '../provider-runs/render.ts'
import { contentTimes, slotPauseMs } from './times.ts'

const { beginContent, endContent } = proxyActivities<Activities>(databaseActivityOptions)
const { submitContent, lookAtContent } = proxyActivities<Activities>(providerActivityOptions)
// The workflow waits for cancelled activities, so that nothing is stored after the cleanup.
const storeActivityOptions = {
  ...providerActivityOptions,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  startToCloseTimeout: '2m',
} as const
const { storeContentImage, storeContentSong, chooseContentClip, writeContentCaption } =
  proxyActivities<Activities>(storeActivityOptions)
const { storeContent, clearContent, abortContentRender } = proxyActivities<Activities>({
  ...storeActivityOptions,
  retry: fiveAttempts.retry,
})

type PollRender = ReturnType<typeof createRenderPolls>
type Outcome = Parameters<Activities['endContent']>[0]['outcome']

/**
 * Creates a video: chooses an image and a song, determines the clip and the caption, renders the video at the provider
 * and stores the result.
 */
export async function createContent({ runId }: JobInput): Promise<void> {
  const pollRender = createRenderPolls(contentTimes.pollIntervalMs)
  const start = await begin(runId)
  if (start === 'continued') return continueAsNew<typeof createContent>({ runId })
  const outcome = start === 'begun' ? await makeWithinLimit(runId, pollRender) : { cancelled: true as const }
  await CancellationScope.nonCancellable(async () => {
    await clearContent({ runId, isMade: 'videoKey' in outcome }).catch(() => {})
    await endContent({ runId, outcome })
    if (mayStillRender(outcome)) await abortContentRender({ runId }).catch(() => {})
  })
}

/** True when the render may still be running at the provider. */
function mayStillRender(outcome: Outcome): boolean {
  return 'cancelled' in outcome || ('fault' in outcome && outcome.fault === 'time')
}

async function makeWithinLimit(runId: string, pollRender: PollRender): Promise<Outcome> {
  try {
    return await CancellationScope.withTimeout(contentTimes.timeoutMs, () => makeVideo(runId, pollRender))
  } catch (error) {
    if (!isCancellation(error)) return { fault: 'sources' }
    return CancellationScope.current().consideredCancelled ? { cancelled: true } : { fault: 'time' }
  }
}

/** Waits for a slot for concurrent videos. Returns `continued` when the workflow must continue as new. */
async function begin(runId: string): Promise<'begun' | 'ended' | 'continued'> {
  try {
    for (let attempt = 0; ; attempt++) {
      // Not cancellable: a cancellation before the first activity would leave the run open. The row records the
      // cancellation.
      const slot = await CancellationScope.nonCancellable(() => beginContent({ runId }))
      if (slot !== 'full') return slot === 'begun' ? 'begun' : 'ended'
      if (workflowInfo().continueAsNewSuggested) return 'continued'
      await sleep(slotPauseMs(attempt))
    }
  } catch (error) {
    if (isCancellation(error)) return 'ended'
    throw error
  }
}

async function makeVideo(runId: string, pollRender: PollRender): Promise<Outcome> {
  try {
    const isFound = (await storeContentImage({ runId })) && (await storeContentSong({ runId }))
    if (!isFound || !(await chooseContentClip({ runId }))) return { fault: 'sources' }
  } catch (error) {
    return rethrowIfCancelled(error, { fault: 'sources' })
  }
  try {
    await writeContentCaption({ runId })
    if ((await startWhenRoom(() => submitContent({ runId }))) === undefined) return { fault: 'rendering' }
    if ((await pollRender(() => lookAtContent({ runId }))) === 'failed') return { fault: 'rendering' }
  } catch (error) {
    return rethrowIfCancelled(error, { fault: 'rendering' })
  }
  try {
    return { videoKey: await storeContent({ runId }) }
  } catch (error) {
    return rethrowIfCancelled(error, { fault: 'storing' })
  }
}

function rethrowIfCancelled<T>(error: unknown, fallback: T): T {
  if (isCancellation(error)) throw error
  return fallback
}
