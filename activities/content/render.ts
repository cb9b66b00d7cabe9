import { ApplicationFailure, Context } from '@temporalio/activity'
import {
  announceClip,
  findContentRun,
  readContentRun,
  recordFault,
  recordRequest,
  showContentProgress,
  withdrawClip,
} from '../../db/content/runs.ts'
import { isMp4, maxClipBytes, sniffedBytes } from '../../domain/content/media.ts'
import { contentKey, type ContentProgress, type ContentRun } from '../../domain/content/runs.ts'
import type { RenderLog, RenderState, VideoRender } from '../../domain/renders.ts'
import { quotaFullText } from '../../domain/media.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { isQuotaFull } from '../../providers/store/metered.ts'
import { cancelRender } from '../runtime/cancel-render.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import { peekBytes, isFileLost, readOutside } from '../runtime/outside-files.ts'
import { isBusy } from '../runtime/provider-call.ts'
import type { Started } from '../runtime/provider-runs.ts'
import type { ContentDeps } from './deps.ts'

type RunId = { runId: string }

const busySeconds = 30

export function createClipActivities(deps: ContentDeps) {
  const { db, render, store, platform, log } = deps

  /** True for a failure that a retry cannot change. */
  const isFinal = (runId: string, error: unknown): boolean => {
    if (!(error instanceof ProviderFault) || error.isRetryable) return false
    log.error({ err: error, runId, alert: error.kind === 'unauthorized' }, 'the renderer refused a video')
    return true
  }

  const buildRender = async ({ wish, caption, clip, imageKey, song }: ContentRun): Promise<VideoRender> => {
    if (imageKey === null || song === null || clip === null) throw new Error('the run has no picture, song or clip')
    const { template, lipsync, upscale } = wish
    const [imageUrl, audioUrl] = await Promise.all([store.publicUrl(imageKey), store.publicUrl(song.key)])
    return { kind: 'video', imageUrl, audioUrl, ...clip, caption: caption ?? '', template, lipsync, upscale }
  }

  const putVideo = async (
    { runId, accountId }: ContentRun,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<string> => {
    const { head, whole } = await peekBytes(content, sniffedBytes)
    if (!isMp4(head)) throw new ProviderFault('invalid', 'the result is no MP4')
    const key = contentKey(runId, 'video', 'mp4')
    const options = { contentType: 'video/mp4', overwrite: true, maxBytes: maxClipBytes, accountId, signal }
    await store.put(key, whole, options)
    return key
  }

  return {
    /**
     * Submits the render once: the run id is the idempotency key, and the intent is stored before the request. Safe to
     * run again.
     */
    submitContent: ({ runId }: RunId): Promise<Started> =>
      withProviderAttempts(async () => {
        const run = await readContentRun(db, runId)
        if (run.providerRequestId !== null) return { is: 'started' }
        if (run.state !== 'running') return { is: 'refused' }
        const request = await buildRender(run)
        const isRepeat = !(await announceClip(db, runId))
        const { cancellationSignal: signal } = Context.current()
        const webhookUrl = `${platform.baseUrl}/api/webhooks/renders`
        const options = { key: runId, isRepeat, accountId: run.accountId, webhookUrl, signal }
        try {
          const { requestId } = await render.submit(request, options)
          const isLive = await db.begin(async (tx) => {
            if (!(await recordRequest(tx, runId, requestId))) return false
            await showContentProgress(tx, runId, { stage: 'queued', message: null })
            return true
          })
          if (isLive) return { is: 'started' }
          await cancelRender(deps, { runId, requestId })
          return { is: 'refused' }
        } catch (error) {
          if (isFinal(runId, error)) return { is: 'refused' }
          if (!isBusy(error)) throw error
          // It is unknown whether the request of an earlier attempt arrived.
          if (!isRepeat) await withdrawClip(db, runId)
          return { is: 'busy', retryAfterSeconds: error.retryAfterSeconds ?? busySeconds }
        }
      }),

    /** Reads the progress of the render and stores it with its log. Safe to run again. */
    lookAtContent: ({ runId }: RunId): Promise<'running' | 'completed' | 'failed'> =>
      withProviderAttempts(async () => {
        const { providerRequestId } = await readContentRun(db, runId)
        if (providerRequestId === null) return 'failed'
        try {
          const { state, logs } = await render.status(providerRequestId, {
            signal: Context.current().cancellationSignal,
          })
          await showContentProgress(db, runId, toProgress(state, logs))
          return state === 'completed' || state === 'failed' ? state : 'running'
        } catch (error) {
          if (isFinal(runId, error)) return 'failed'
          throw error
        }
      }),

    /** Cancels the render of a run that has ended without a video. Safe to run again. */
    abortContentRender: ({ runId }: RunId): Promise<void> =>
      withHeartbeat(async () => {
        const run = await findContentRun(db, runId)
        if (run === undefined || run.state !== 'failed' || run.providerRequestId === null) return
        await cancelRender(deps, { runId, requestId: run.providerRequestId })
      }),

    /**
     * Streams the result to the store, overwriting the object of an earlier attempt; returns its key. Safe to run
     * again.
     */
    storeContent: ({ runId }: RunId): Promise<string> =>
      withHeartbeat(async () => {
        const { cancellationSignal: signal } = Context.current()
        const run = await readContentRun(db, runId)
        try {
          const { url } = await render.result(run.providerRequestId ?? '', { signal })
          return await readOutside(deps, url, signal, (content) => putVideo(run, content, signal))
        } catch (error) {
          if (isQuotaFull(error)) await recordFault(db, runId, quotaFullText)
          log.warn({ err: error, runId }, 'a video could not be stored')
          throw isFileLost(error) ? ApplicationFailure.create({ message: 'not a video', nonRetryable: true }) : error
        }
      }),
  }
}

const stages = { queued: 'queued', running: 'rendering', completed: 'storing', failed: 'rendering' } as const

function toProgress(state: RenderState, logs: readonly RenderLog[]): ContentProgress {
  return { stage: stages[state], message: logs.at(-1)?.message ?? null }
}
