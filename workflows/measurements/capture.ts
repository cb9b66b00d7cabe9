import {
  CancellationScope,
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { JobInput } from '../messages.ts'
import { brief } from '../runtime/brief-work.ts'
import { providerRunChanged } from './messages.ts'
import { nextPollMs, providerRunLimitMs } from './polling.ts'

/** Provider runs of one job at the same time. */
const maxChunksAtOnce = 5

const { beginCapture, endCapture } = proxyActivities<Activities>({
  ...brief,
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

/** Three attempts at whatever the provider is asked, each a minute at most. */
const ofProvider = {
  startToCloseTimeout: '70s',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 3 },
} as const
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
  const changed = new Set<number>()
  setHandler(defineSignal<[number]>(providerRunChanged), (chunk) => void changed.add(chunk))
  const { chunkCount, leftMs } = await beginCapture({ runId })
  const stop = chunkCount === 0 ? 'cancelled' : await measure({ runId, chunkCount, leftMs, changed })
  await CancellationScope.nonCancellable(async () => {
    await abortChunks({ runId }).catch(() => {})
    await endCapture({ runId, stop })
  })
}

type Capture = { runId: string; chunkCount: number; leftMs: number; changed: Set<number> }

/** `over` when every chunk has been written, or one of them has failed: then the others are of no use. */
async function measure(capture: Capture): Promise<Parameters<Activities['endCapture']>[0]['stop']> {
  const { runId, chunkCount, leftMs } = capture
  let hasFailed = false
  try {
    await CancellationScope.withTimeout(leftMs, async () => {
      const scope = CancellationScope.current()
      const chunks = inLanes(chunkCount, async (chunk) => {
        if (await measureChunk(capture, chunk)) return
        hasFailed = true
        scope.cancel()
      })
      await Promise.all([chunks, findEarliestRelease({ runId }).catch(unlessCancelled)])
    })
    return 'over'
  } catch (error) {
    if (hasFailed || !isCancellation(error)) return 'over'
    return CancellationScope.current().consideredCancelled ? 'cancelled' : 'timeout'
  }
}

/** Some chunks at a time, in their order. */
async function inLanes(chunkCount: number, work: (chunk: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < chunkCount) await work(next++)
  }
  await Promise.all(Array.from({ length: maxChunksAtOnce }, lane))
}

/** False when the chunk has failed. */
async function measureChunk({ runId, changed }: Capture, chunk: number): Promise<boolean> {
  try {
    if (!(await isStarted(runId, chunk)) || !(await hasSucceeded({ runId, chunk, changed }))) return false
    await storeChunk({ runId, chunk })
    return true
  } catch (error) {
    unlessCancelled(error)
    return false
  }
}

/** Asks until the provider has room; false when it refuses, or has had none for as long as a run may take. */
async function isStarted(runId: string, chunk: number): Promise<boolean> {
  const giveUpAt = Date.now() + providerRunLimitMs
  for (;;) {
    // Whoever cancels has to know what was started.
    const started = await CancellationScope.nonCancellable(() => startChunk({ runId, chunk }))
    if (started.is !== 'busy') return started.is === 'started'
    if (Date.now() >= giveUpAt) return false
    await sleep(started.retryAfterSeconds * 1000)
  }
}

/** Follows the provider's run by webhook and by polling; false when it failed, or took too long. */
async function hasSucceeded({ runId, chunk, changed }: { runId: string; chunk: number; changed: Set<number> }) {
  const since = Date.now()
  for (;;) {
    changed.delete(chunk)
    // A provider that does not answer now may answer the next time.
    const state = await lookAtChunk({ runId, chunk }).catch((error: unknown) => {
      unlessCancelled(error)
      return 'running' as const
    })
    if (state !== 'running') return state === 'succeeded'
    const pauseMs = nextPollMs(Date.now() - since)
    if (pauseMs === undefined) return false
    await condition(() => changed.has(chunk), pauseMs)
  }
}

function unlessCancelled(error: unknown): void {
  if (isCancellation(error)) throw error
}
