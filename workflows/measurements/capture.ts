import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { JobInput } from '../messages.ts'
import { brief } from '../runtime/brief-work.ts'
import {
  inLanes,
  isStarted,
  listenForChanges,
  ofProvider,
  outcomeOf,
  unlessCancelled,
  type Changed,
} from '../scrapers/provider-run.ts'

/** Provider runs of one job at the same time. */
const maxChunksAtOnce = 5

const { beginCapture, endCapture } = proxyActivities<Activities>({
  ...brief,
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})
const { startChunk, lookAtChunk } = proxyActivities<Activities>(ofProvider)
const { abortChunks } = proxyActivities<Activities>({
  ...ofProvider,
  retry: { ...ofProvider.retry, maximumAttempts: 5 },
})

/** Reading, and asking for songs with patience. */
const { storeChunk, findEarliestRelease } = proxyActivities<Activities>({
  startToCloseTimeout: '12m',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 5 },
})

/** The measurement of a job's play counts: a run of the provider for each chunk of its albums. */
export async function capturePlayCounts({ runId }: JobInput): Promise<void> {
  const changed = listenForChanges()
  const { chunkCount, leftMs } = await beginCapture({ runId })
  const stop = chunkCount === 0 ? 'cancelled' : await measure({ runId, chunkCount, leftMs, changed })
  await CancellationScope.nonCancellable(async () => {
    await abortChunks({ runId }).catch(() => {})
    await endCapture({ runId, stop })
  })
}

type Capture = { runId: string; chunkCount: number; leftMs: number; changed: Changed }

/** `over` when every chunk has been written or has failed. A chunk that fails leaves the others to be measured. */
async function measure(capture: Capture): Promise<Parameters<Activities['endCapture']>[0]['stop']> {
  const { runId, chunkCount, leftMs } = capture
  try {
    await CancellationScope.withTimeout(leftMs, async () => {
      const chunks = inLanes([...Array(chunkCount).keys()], maxChunksAtOnce, (chunk) => measureChunk(capture, chunk))
      await Promise.all([chunks, findEarliestRelease({ runId }).catch(unlessCancelled)])
    })
    return 'over'
  } catch (error) {
    if (!isCancellation(error)) return 'over'
    return CancellationScope.current().consideredCancelled ? 'cancelled' : 'timeout'
  }
}

/** A chunk that is not written when the job is over has failed. */
async function measureChunk({ runId, changed }: Capture, chunk: number): Promise<void> {
  try {
    if (!(await isStarted(() => startChunk({ runId, chunk })))) return
    const outcome = await outcomeOf(() => lookAtChunk({ runId, chunk }), { run: chunk, changed })
    if (outcome === 'succeeded') await storeChunk({ runId, chunk })
  } catch (error) {
    unlessCancelled(error)
  }
}
