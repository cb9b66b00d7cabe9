import { CancellationScope, continueAsNew, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { JobInput } from '../messages.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'
import {
  fiveAttempts,
  followRun,
  providerActivityOptions,
  startWhenRoom,
  rethrowIfCancelled,
} from '../provider-runs/provider-run.ts'
import { createRunWaits, HistoryTooLongError, runConcurrently, type RunWaits } from '../provider-runs/waits.ts'

/** Maximum concurrent provider runs of one job. */
const maxConcurrentChunks = 5

const { beginCapture, endCapture } = proxyActivities<Activities>(databaseActivityOptions)
const { startChunk, lookAtChunk } = proxyActivities<Activities>(providerActivityOptions)
const { abortChunks } = proxyActivities<Activities>(fiveAttempts)

/** The timeout covers reading the results and looking up songs at a busy platform. */
const { storeChunk, findEarliestRelease } = proxyActivities<Activities>({
  ...fiveAttempts,
  startToCloseTimeout: '12m',
})

/** Measures the play counts of a job: one provider run per chunk of its albums. */
export async function capturePlayCounts({ runId }: JobInput): Promise<void> {
  const waits = createRunWaits()
  const { chunkCount, leftMs } = await CancellationScope.nonCancellable(() => beginCapture({ runId }))
  const stop = chunkCount === 0 ? 'cancelled' : await measure({ runId, chunkCount, leftMs, waits })
  if (stop === 'continued') return continueAsNew<typeof capturePlayCounts>({ runId })
  await CancellationScope.nonCancellable(async () => {
    await abortChunks({ runId }).catch(() => {})
    await endCapture({ runId, stop })
  })
}

type Capture = { runId: string; chunkCount: number; leftMs: number; waits: RunWaits }

/** Measures all chunks. Returns `over` once each chunk is stored or has failed. A failed chunk does not stop other chunks. */
async function measure(capture: Capture): Promise<'over' | 'timeout' | 'cancelled' | 'continued'> {
  const { runId, chunkCount, leftMs } = capture
  try {
    await CancellationScope.withTimeout(leftMs, async () => {
      const chunks = runConcurrently([...Array(chunkCount).keys()], maxConcurrentChunks, (chunk) =>
        measureChunk(capture, chunk),
      )
      const release = findEarliestRelease({ runId }).catch(rethrowIfCancelled)
      for (const end of await Promise.allSettled([chunks, release])) if (end.status === 'rejected') throw end.reason
    })
    return 'over'
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) return 'cancelled'
    if (isCancellation(error)) return 'timeout'
    return error instanceof HistoryTooLongError ? 'continued' : 'over'
  }
}

/** Measures one chunk. A chunk whose results are not stored when the job ends is treated as failed. */
async function measureChunk({ runId, waits }: Capture, chunk: number): Promise<void> {
  try {
    const ageMs = await startWhenRoom(() => startChunk({ runId, chunk }), { pause: waits.waitForSlot })
    if (ageMs === undefined) return
    const outcome = await followRun(() => lookAtChunk({ runId, chunk }), { run: chunk, ageMs, waits })
    if (outcome === 'succeeded') await storeChunk({ runId, chunk })
  } catch (error) {
    rethrowIfCancelled(error)
    if (error instanceof HistoryTooLongError) throw error
  }
}
