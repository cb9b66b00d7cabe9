import { ApplicationFailure, Context } from '@temporalio/activity'
import { mergeMetadata } from '../../db/jobs/jobs.ts'
import type { RenderJob } from '../../db/jobs/kind.ts'
import {
  announceRender,
  findRender,
  readRender,
  recordRender,
  withdrawRender,
  type StoredRender,
} from '../../db/jobs/renders.ts'
import type { Tx } from '../../db/postgres/client.ts'
import type { RenderLog, RenderRequest, RenderState } from '../../domain/renders.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { isQuotaFull } from '../../providers/store/metered.ts'
import type { FileFetcher } from '../../providers/egress/files.ts'
import type { RenderPort } from '../../providers/render/index.ts'
import type { StorePort } from '../../providers/store/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { isPermanentFileError, peekBytes, readExternalFile } from '../runtime/external-files.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import { isBusy } from '../runtime/provider-call.ts'
import type { PlatformDeps } from '../deps.ts'
import type { StartResult } from './scraper-runs.ts'
import { cancelRender } from './cancel-render.ts'

/** Dependencies of jobs whose files a renderer creates. */
export type RenderDeps = PlatformDeps & {
  render: RenderPort
  /** Storage of finished media. */
  store: StorePort
  /** Fetches files from addresses that providers return. */
  files: FileFetcher
}

type RunId = { runId: string }

/** Defines how one kind of job renders and stores its file. */
export type RenderDefinition = {
  kind: RenderJob
  /** Noun for the result in log lines, such as `track`. */
  noun: string
  toRequest: (runId: string) => Promise<RenderRequest>
  /** Stores the renderer's log in the transaction that updates the progress. */
  storeLogs?: (tx: Tx, runId: string, logs: readonly RenderLog[]) => Promise<void>
  file: {
    maxBytes: number
    /** Number of bytes at the start of the file that `identify` reads. */
    sniffedBytes: number
    /** Returns the key and type under which the result is stored; undefined for an unsupported format. */
    identify: (key: string, head: Uint8Array) => { key: string; contentType: string } | undefined
    onQuotaFull: (runId: string) => Promise<void>
  }
}

const busyRetrySeconds = 30

/** Creates the activities of a job with one render. */
export function createRenderSteps(deps: RenderDeps, { kind, noun, toRequest, storeLogs, file }: RenderDefinition) {
  const { db, render, store, platform, log } = deps

  /** Logs a failure that a retry cannot resolve, and returns true for it. */
  const isPermanent = (runId: string, error: unknown): boolean => {
    if (!(error instanceof ProviderError) || error.isRetryable) return false
    log.error({ err: error, runId, alert: error.kind === 'unauthorized' }, `the renderer rejected a ${noun}`)
    return true
  }

  const storeResult = async (
    { key, accountId }: StoredRender,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<string> => {
    const { head, whole } = await peekBytes(content, file.sniffedBytes)
    const object = file.identify(key, head)
    if (object === undefined) throw new ProviderError('invalid', `the format of the ${noun} is not supported`)
    const options = { contentType: object.contentType, overwrite: true, maxBytes: file.maxBytes, accountId, signal }
    await store.put(object.key, whole, options)
    return object.key
  }

  return {
    /**
     * Submits the render once: its key is the idempotency key, and its intent is stored before the request. Safe to run
     * again.
     */
    submit: ({ runId }: RunId): Promise<StartResult> =>
      withProviderAttempts(async () => {
        const { key, accountId, isLive, providerRequestId: knownId } = await readRender(db, kind, runId)
        if (knownId !== null) return { is: 'started' }
        if (!isLive) return { is: 'refused' }
        const request = await toRequest(runId)
        const isRepeat = !(await announceRender(db, kind, runId))
        const { cancellationSignal: signal } = Context.current()
        const webhookUrl = `${platform.baseUrl}/api/webhooks/renders`
        try {
          const { requestId } = await render.submit(request, { key, isRepeat, accountId, webhookUrl, signal })
          const isRecorded = await db.begin(async (tx) => {
            if (!(await recordRender(tx, kind, runId, requestId))) return false
            await mergeMetadata(tx, runId, { stage: 'queued', message: null })
            return true
          })
          if (isRecorded) return { is: 'started' }
          await cancelRender(deps, { runId, requestId })
          return { is: 'refused' }
        } catch (error) {
          if (isPermanent(runId, error)) return { is: 'refused' }
          if (!isBusy(error)) throw error
          // A repeat keeps the stored intent, because the request of an earlier attempt may have arrived.
          if (!isRepeat) await withdrawRender(db, kind, runId)
          return { is: 'busy', retryAfterSeconds: error.retryAfterSeconds ?? busyRetrySeconds }
        }
      }),

    /** Reads the progress of the render and stores it with its log. Safe to run again. */
    poll: ({ runId }: RunId): Promise<'running' | 'completed' | 'failed'> =>
      withProviderAttempts(async () => {
        const { providerRequestId } = await readRender(db, kind, runId)
        if (providerRequestId === null) return 'failed'
        try {
          const { cancellationSignal: signal } = Context.current()
          const { state, logs } = await render.status(providerRequestId, { signal })
          await db.begin(async (tx) => {
            await storeLogs?.(tx, runId, logs)
            await mergeMetadata(tx, runId, toProgress(state, logs))
          })
          return state === 'completed' || state === 'failed' ? state : 'running'
        } catch (error) {
          if (isPermanent(runId, error)) return 'failed'
          throw error
        }
      }),

    /** Cancels the render of an object that has failed. Safe to run again. */
    abort: ({ runId }: RunId): Promise<void> =>
      withHeartbeat(async () => {
        const storedRender = await findRender(db, kind, runId)
        if (storedRender === undefined || !storedRender.hasFailed || storedRender.providerRequestId === null) return
        await cancelRender(deps, { runId, requestId: storedRender.providerRequestId })
      }),

    /** Streams the result to the store, overwriting the object of an earlier attempt. Safe to run again. */
    store: ({ runId }: RunId): Promise<{ key: string; durationSeconds: number | null }> =>
      withHeartbeat(async () => {
        const { cancellationSignal: signal } = Context.current()
        const storedRender = await readRender(db, kind, runId)
        try {
          const { url, durationSeconds } = await render.result(storedRender.providerRequestId ?? '', { signal })
          const key = await readExternalFile(deps, url, signal, (content) => storeResult(storedRender, content, signal))
          return { key, durationSeconds }
        } catch (error) {
          log.warn({ err: error, runId }, `failed to store a ${noun}`)
          if (isQuotaFull(error)) await file.onQuotaFull(runId)
          throw isPermanentFileError(error)
            ? ApplicationFailure.create({ message: `not a ${noun}`, nonRetryable: true })
            : error
        }
      }),
  }
}

const stages = { queued: 'queued', running: 'rendering', completed: 'storing', failed: 'rendering' } as const

function toProgress(state: RenderState, logs: readonly RenderLog[]) {
  return { stage: stages[state], message: logs.at(-1)?.message ?? null }
}
