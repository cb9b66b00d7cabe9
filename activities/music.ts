import { ApplicationFailure } from '@temporalio/activity'
import { beginJobRow, readJob } from '../db/jobs/jobs.ts'
import type { MusicPayload } from '../db/music/accept.ts'
import { findGeneration, readGeneration, storeRenderLogs } from '../db/music/generations.ts'
import { musicJobKind } from '../db/music/job.ts'
import { isUsableLength, musicCharge } from '../domain/music/charge.ts'
import { maxTrackBytes, sniffedBytes, sniffTrack, trackKey } from '../domain/music/file.ts'
import { toRender } from '../domain/music/request.ts'
import { maxListedLogs, musicFailureTexts, quotaFullType, type MusicFailure } from '../domain/music/states.ts'
import { endRender, type RenderEnd } from './jobs/end-render.ts'
import { createRenderSteps, type RenderDeps } from './jobs/renders.ts'

type RunId = { runId: string }

/** `durationSeconds` is null when the renderer reports no usable length. */
type StoredTrack = { key: string; durationSeconds: number | null }

type Outcome = { track: StoredTrack } | { fault: MusicFailure }

export function createMusicActivities(deps: RenderDeps) {
  const { db, store } = deps
  const steps = createRenderSteps(deps, {
    kind: musicJobKind,
    noun: 'track',
    toRequest: async (runId) => toRender(await readGeneration(db, runId)),
    storeLogs: (tx, runId, logs) => storeRenderLogs(tx, runId, logs.slice(-maxListedLogs)),
    file: {
      maxBytes: maxTrackBytes,
      sniffedBytes,
      identify: (id, head) => {
        const format = sniffTrack(head)
        return format && { key: trackKey(id, format), contentType: format.contentType }
      },
      onQuotaFull: async () => {
        throw ApplicationFailure.create({ message: 'the quota is full', type: quotaFullType, nonRetryable: true })
      },
    },
  })

  const complete = async (runId: string, { key, durationSeconds }: StoredTrack): Promise<RenderEnd> => {
    const generation = await findGeneration(db, runId)
    if (generation === undefined) return { reason: musicFailureTexts.storing }
    const { creditsPerSecond } = (await readJob(db, runId)).payload as MusicPayload
    return {
      columns: { storage_key: key, duration_seconds: durationSeconds },
      amount: musicCharge(generation.parameters.duration, durationSeconds, creditsPerSecond),
      output: { generation_id: generation.id, audio_url: await store.publicUrl(key) },
    }
  }

  return {
    submitMusic: steps.submit,
    lookAtMusic: steps.poll,
    abortMusicRender: steps.abort,

    /**
     * Sets the run to EXECUTING. Returns false when the generation has ended or was deleted with its account. Safe to
     * run again.
     */
    beginMusic: ({ runId }: RunId): Promise<boolean> =>
      db.begin(async (tx) => {
        const generation = (await beginJobRow(tx, runId)) ? await findGeneration(tx, runId) : undefined
        return generation?.status === 'pending' || generation?.status === 'processing'
      }),

    storeTrack: async (run: RunId): Promise<StoredTrack> => {
      const { key, durationSeconds } = await steps.store(run)
      return { key, durationSeconds: isUsableLength(durationSeconds) ? durationSeconds : null }
    },

    /** Ends the generation, settles or releases its credit hold, and ends its background run. Safe to run again. */
    endMusic: async ({ runId, outcome }: { runId: string; outcome: Outcome }): Promise<void> => {
      const end =
        'track' in outcome ? await complete(runId, outcome.track) : { reason: musicFailureTexts[outcome.fault] }
      await endRender(deps, musicJobKind, runId, end)
    },
  }
}
