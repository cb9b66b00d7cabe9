import { Context } from '@temporalio/activity'
import { beginBackgroundRun, mergeMetadata } from '../../db/jobs/jobs.ts'
import {
  announceRender,
  findGeneration,
  readGeneration,
  recordRender,
  storeRenderLogs,
  withdrawRender,
} from '../../db/music/generations.ts'
import { maxShownLogs, type MusicProgress } from '../../domain/music/states.ts'
import { toRender } from '../../domain/music/request.ts'
import type { RenderLog, RenderState } from '../../domain/renders.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { cancelRender } from '../runtime/cancel-render.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { withProviderAttempts } from '../runtime/provider-attempts.ts'
import { isBusy } from '../runtime/provider-call.ts'
import type { Started } from '../runtime/provider-runs.ts'
import type { MusicDeps } from './deps.ts'

type RunId = { runId: string }

const busySeconds = 30

export function createRenderActivities(deps: MusicDeps) {
  const { db, render, platform } = deps
  return {
    /**
     * Sets the run to EXECUTING. Returns false when the generation has ended or was deleted with its account. Safe to
     * run again.
     */
    beginMusic: ({ runId }: RunId): Promise<boolean> =>
      db.begin(async (tx) => {
        const generation = (await beginBackgroundRun(tx, runId)) ? await findGeneration(tx, runId) : undefined
        return generation?.status === 'pending' || generation?.status === 'processing'
      }),

    /**
     * Submits the render once: the generation id is the idempotency key, and the intent is stored before the request.
     * Safe to run again.
     */
    submitMusic: ({ runId }: RunId): Promise<Started> =>
      withProviderAttempts(async () => {
        const generation = await readGeneration(db, runId)
        const { id, providerRequestId: known } = generation
        if (known !== null) return { is: 'started' }
        if (generation.status === 'failed' || generation.status === 'completed') return { is: 'refused' }
        const isRepeat = !(await announceRender(db, id))
        const { cancellationSignal: signal } = Context.current()
        const webhookUrl = `${platform.baseUrl}/api/webhooks/renders`
        try {
          const { accountId } = generation
          const options = { key: id, isRepeat, accountId, webhookUrl, signal }
          const { requestId } = await render.submit(toRender(generation), options)
          const isLive = await db.begin(async (tx) => {
            if (!(await recordRender(tx, id, requestId))) return false
            await showProgress(tx, runId, { stage: 'queued', message: null })
            return true
          })
          if (isLive) return { is: 'started' }
          await cancelRender(deps, { runId, requestId })
          return { is: 'refused' }
        } catch (error) {
          if (isFinal(deps, id, error)) return { is: 'refused' }
          if (!isBusy(error)) throw error
          // It is unknown whether the request of an earlier attempt arrived.
          if (!isRepeat) await withdrawRender(db, id)
          return { is: 'busy', retryAfterSeconds: error.retryAfterSeconds ?? busySeconds }
        }
      }),

    /** Cancels the render of a generation that has failed. Safe to run again. */
    abortMusicRender: ({ runId }: RunId): Promise<void> =>
      withHeartbeat(async () => {
        const generation = await findGeneration(db, runId)
        if (generation?.status !== 'failed' || generation.providerRequestId === null) return
        await cancelRender(deps, { runId, requestId: generation.providerRequestId })
      }),

    /** Reads the progress of the render and stores it with its log. Safe to run again. */
    lookAtMusic: ({ runId }: RunId): Promise<'running' | 'completed' | 'failed'> =>
      withProviderAttempts(async () => {
        const { id, providerRequestId } = await readGeneration(db, runId)
        if (providerRequestId === null) return 'failed'
        try {
          const { state, logs } = await render.status(providerRequestId, {
            signal: Context.current().cancellationSignal,
          })
          const shown = logs.slice(-maxShownLogs)
          await db.begin(async (tx) => {
            await storeRenderLogs(tx, id, shown)
            await showProgress(tx, runId, toProgress(state, shown))
          })
          return state === 'completed' || state === 'failed' ? state : 'running'
        } catch (error) {
          if (isFinal(deps, id, error)) return 'failed'
          throw error
        }
      }),
  }
}

function showProgress(tx: Parameters<typeof mergeMetadata>[0], runId: string, progress: MusicProgress): Promise<void> {
  return mergeMetadata(tx, runId, progress)
}

/** True for a failure that a retry cannot change. */
function isFinal({ log }: MusicDeps, generationId: string, error: unknown): boolean {
  if (!(error instanceof ProviderFault) || error.isRetryable) return false
  log.error({ err: error, generationId, alert: error.kind === 'unauthorized' }, 'the renderer refused a track')
  return true
}

const stages = { queued: 'queued', running: 'rendering', completed: 'storing', failed: 'rendering' } as const

function toProgress(state: RenderState, logs: readonly RenderLog[]): MusicProgress {
  return { stage: stages[state], message: logs.at(-1)?.message ?? null }
}
