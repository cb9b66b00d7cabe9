import { randomUUID } from 'node:crypto'
import { newJobId } from '../../domain/fields/ids.ts'
import { musicPrice } from '../../domain/music/charge.ts'
import type { Generation } from '../../domain/music/generation.ts'
import { toParameters, type MusicRequest } from '../../domain/music/request.ts'
import type { MusicProgress } from '../../domain/music/states.ts'
import { acceptJobs, type JobTerms } from '../jobs/paid.ts'
import type { Tx } from '../postgres/client.ts'
import { readGeneration } from './generations.ts'
import { musicJobKind } from './job.ts'

/**
 * `creditsPerSecond`: the price at acceptance, which later price changes do not affect. `request`: the request that a retry
 * of the generation sends.
 */
export type MusicPayload = {
  generationId: string
  creditsPerSecond: number
  request?: Omit<MusicRequest, 'account_id'>
}

type NewGeneration = {
  request: MusicRequest
  /** Model name as displayed. */
  model: string
  creditsPerSecond: number
}

/** Stores a generation with a hold on the paying account and a background run. Throws `InsufficientCreditsError`. */
export async function acceptGeneration(
  tx: Tx,
  terms: JobTerms,
  { request, model, creditsPerSecond }: NewGeneration,
): Promise<Generation> {
  const [id, runId] = [randomUUID(), newJobId()]
  const { account_id: _, ...repeatable } = request
  const payload: MusicPayload = { generationId: id, creditsPerSecond, request: repeatable }
  const metadata: MusicProgress & { generation_id: string } = { generation_id: id, stage: 'accepted', message: null }
  const insert = () => tx`
    insert into music_generations (id, account_id, run_id, model, prompt, lyrics, parameters)
    values (${id}, ${terms.accountId}, ${runId}, ${model}, ${request.prompt}, ${request.lyrics},
      ${JSON.stringify(toParameters(request))}::text::jsonb)`
  await acceptJobs(tx, musicJobKind, terms, {
    price: musicPrice(request.duration, creditsPerSecond),
    jobs: [{ id: runId, keys: [id], payload, metadata, insert }],
  })
  return readGeneration(tx, runId)
}
