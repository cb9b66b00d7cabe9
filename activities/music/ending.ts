import { Context } from '@temporalio/activity'
import { endJobBy } from '../../db/jobs/ending.ts'
import { endBackgroundRun, readJob } from '../../db/jobs/jobs.ts'
import { completeRender, failRender } from '../../db/jobs/renders.ts'
import type { MusicPayload } from '../../db/music/accept.ts'
import { findGeneration } from '../../db/music/generations.ts'
import { musicJobKind } from '../../db/music/job.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { musicCharge } from '../../domain/music/charge.ts'
import { musicFaults, type MusicFault } from '../../domain/music/states.ts'
import { showDoubt } from '../jobs/renders.ts'
import type { MusicDeps } from './deps.ts'
import type { StoredTrack } from './render.ts'

type Outcome = { track: StoredTrack } | { fault: MusicFault }

export function createEndActivities(deps: MusicDeps) {
  const { db, store } = deps
  return {
    /**
     * Ends the generation, settles or releases its hold, and ends its background run in one transaction. Safe to run
     * again: an ended generation never changes.
     */
    endMusic: async ({ runId, outcome }: { runId: string; outcome: Outcome }): Promise<void> => {
      const { creditsPerSecond } = (await readJob(db, runId)).payload as MusicPayload
      const audioUrl = 'track' in outcome ? await store.publicUrl(outcome.track.key) : null
      const end = async (tx: Tx): Promise<boolean> => {
        const generation = await findGeneration(tx, runId)
        if (generation === undefined) return endBackgroundRun(tx, runId, { status: 'CANCELED' })
        if ('fault' in outcome) {
          await failRender(tx, musicJobKind, runId, musicFaults[outcome.fault])
          await showDoubt(deps, tx, generation)
          const error = { name: 'MusicFailed', message: musicFaults[outcome.fault] }
          return endBackgroundRun(tx, runId, { status: 'FAILED', error })
        }
        const { track } = outcome
        const { duration } = generation.parameters
        const amount = musicCharge(duration, track.durationSeconds, creditsPerSecond)
        const columns = { storage_key: track.key, duration_seconds: track.durationSeconds }
        await completeRender(tx, musicJobKind, runId, { columns, amount })
        const output = { generation_id: generation.id, audio_url: audioUrl }
        return endBackgroundRun(tx, runId, { status: 'COMPLETED', output })
      }
      await endJobBy(db, { id: runId, attempt: Context.current().info.attempt }, end)
    },
  }
}
