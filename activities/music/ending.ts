import { Context } from '@temporalio/activity'
import { endJobBy } from '../../db/jobs/ending.ts'
import { endBackgroundRun, mergeMetadata, readJob } from '../../db/jobs/jobs.ts'
import type { MusicPayload } from '../../db/music/accept.ts'
import { completeGeneration, failGeneration, findGeneration } from '../../db/music/generations.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { musicCharge } from '../../domain/music/charge.ts'
import type { Generation } from '../../domain/music/generation.ts'
import { musicFaults, type MusicFault } from '../../domain/music/states.ts'
import type { MusicDeps } from './deps.ts'
import type { StoredTrack } from './track.ts'

type Outcome = { track: StoredTrack } | { fault: MusicFault }

export function createEndActivities(deps: MusicDeps) {
  const { db, store } = deps
  return {
    /**
     * Ends the generation, settles or releases its hold, and ends its background run in one transaction. Safe to run
     * again: an ended generation never changes.
     */
    endMusic: async ({ runId, outcome }: { runId: string; outcome: Outcome }): Promise<void> => {
      const { creditsPerSecond, usage } = (await readJob(db, runId)).payload as MusicPayload
      const audioUrl = 'track' in outcome ? await store.publicUrl(outcome.track.key) : null
      const end = async (tx: Tx): Promise<boolean> => {
        const generation = await findGeneration(tx, runId)
        if (generation === undefined) return endBackgroundRun(tx, runId, { status: 'CANCELED' })
        if ('fault' in outcome) {
          await failGeneration(tx, generation, outcome.fault)
          await showDoubt(deps, tx, generation)
          const error = { name: 'MusicFailed', message: musicFaults[outcome.fault] }
          return endBackgroundRun(tx, runId, { status: 'FAILED', error })
        }
        const { track } = outcome
        const { duration } = generation.parameters
        const amount = musicCharge(duration, track.durationSeconds, creditsPerSecond)
        await completeGeneration(tx, generation, track, { amount, usage })
        const output = { generation_id: generation.id, audio_url: audioUrl }
        return endBackgroundRun(tx, runId, { status: 'COMPLETED', output })
      }
      await endJobBy(db, { id: runId, attempt: Context.current().info.attempt }, end)
    },
  }
}

/** A render whose submission got no response may still run at the provider without a result for us. */
async function showDoubt({ log }: MusicDeps, tx: Tx, { id, runId, isAsked, providerRequestId }: Generation) {
  if (!isAsked || providerRequestId !== null) return
  await mergeMetadata(tx, runId, { renderInDoubt: true })
  log.error({ generationId: id, alert: true }, 'the renderer may have been paid for nothing')
}
