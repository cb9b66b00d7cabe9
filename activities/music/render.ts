import { ApplicationFailure } from '@temporalio/activity'
import { beginJobRow } from '../../db/jobs/jobs.ts'
import { findGeneration, readGeneration, storeRenderLogs } from '../../db/music/generations.ts'
import { musicJobKind } from '../../db/music/job.ts'
import { isUsableLength } from '../../domain/music/charge.ts'
import { maxTrackBytes, sniffedBytes, sniffTrack, trackKey } from '../../domain/music/file.ts'
import { toRender } from '../../domain/music/request.ts'
import { maxShownLogs, quotaFault } from '../../domain/music/states.ts'
import { createRenderSteps } from '../jobs/renders.ts'
import type { MusicDeps } from './deps.ts'

type RunId = { runId: string }

/** `durationSeconds` is null when the renderer reports no usable length. */
export type StoredTrack = { key: string; durationSeconds: number | null }

export function createRenderActivities(deps: MusicDeps) {
  const { db } = deps
  const steps = createRenderSteps(deps, {
    kind: musicJobKind,
    what: 'track',
    toRequest: async (runId) => toRender(await readGeneration(db, runId)),
    storeLogs: (tx, runId, logs) => storeRenderLogs(tx, runId, logs.slice(-maxShownLogs)),
    file: {
      maxBytes: maxTrackBytes,
      sniffedBytes,
      identify: (id, head) => {
        const format = sniffTrack(head)
        return format && { key: trackKey(id, format), contentType: format.contentType }
      },
      onQuotaFull: async () => {
        throw ApplicationFailure.create({ message: 'the quota is full', type: quotaFault, nonRetryable: true })
      },
    },
  })
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
  }
}
