import { readJob } from '../../db/jobs/jobs.ts'
import type { MusicPayload } from '../../db/music/accept.ts'
import { findGeneration } from '../../db/music/generations.ts'
import { musicJobKind } from '../../db/music/job.ts'
import { musicCharge } from '../../domain/music/charge.ts'
import { musicFaults, type MusicFault } from '../../domain/music/states.ts'
import { endRender, type RenderEnd } from '../jobs/end-render.ts'
import type { MusicDeps } from './deps.ts'
import type { StoredTrack } from './render.ts'

type Outcome = { track: StoredTrack } | { fault: MusicFault }

export function createEndActivities(deps: MusicDeps) {
  const { db, store } = deps

  const complete = async (runId: string, { key, durationSeconds }: StoredTrack): Promise<RenderEnd> => {
    const generation = await findGeneration(db, runId)
    if (generation === undefined) return { reason: musicFaults.storing }
    const { creditsPerSecond } = (await readJob(db, runId)).payload as MusicPayload
    return {
      columns: { storage_key: key, duration_seconds: durationSeconds },
      amount: musicCharge(generation.parameters.duration, durationSeconds, creditsPerSecond),
      output: { generation_id: generation.id, audio_url: await store.publicUrl(key) },
    }
  }

  return {
    /** Ends the generation with its credits and its background run. Safe to run again. */
    endMusic: async ({ runId, outcome }: { runId: string; outcome: Outcome }): Promise<void> => {
      const end = 'track' in outcome ? await complete(runId, outcome.track) : { reason: musicFaults[outcome.fault] }
      await endRender(deps, musicJobKind, runId, end)
    },
  }
}
