import { randomUUID } from 'node:crypto'
import type { PlanRules } from '../../domain/credits/plans.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { musicHoldMs, musicPrice, musicReference } from '../../domain/music/charge.ts'
import type { Generation } from '../../domain/music/generation.ts'
import { toParameters, type MusicRequest } from '../../domain/music/request.ts'
import type { MusicProgress } from '../../domain/music/states.ts'
import { holdCredits, NotCovered, type Usage } from '../credits/ledger.ts'
import { insertJob } from '../jobs/jobs.ts'
import type { Tx } from '../postgres/client.ts'
import { readGeneration } from './generations.ts'

/** The job that renders a generation; its payload is `MusicPayload`. */
export const musicJob = 'render-music'

/**
 * `creditsPerSecond`: the price at acceptance, which later price changes do not affect. `asked`: the request that
 * repeats the generation.
 */
export type MusicPayload = {
  generationId: string
  creditsPerSecond: number
  usage: Usage
  asked?: Omit<MusicRequest, 'account_id'>
}

export type NewGeneration = {
  /** The account that owns the generation and pays. */
  accountId: string
  request: MusicRequest
  /** Model name as displayed. */
  model: string
  creditsPerSecond: number
  usage: Usage
  plans: PlanRules
  buildId: string
}

/** Stores a generation with its hold and its background run. Throws `NotCovered`. */
export async function acceptGeneration(tx: Tx, given: NewGeneration): Promise<Generation> {
  const { accountId, request, model, creditsPerSecond, usage, plans, buildId } = given
  const [id, runId] = [randomUUID(), newJobId()]
  const amount = musicPrice(request.duration, creditsPerSecond)
  const hold = { accountId, amount, reference: musicReference(id), lifetimeMs: musicHoldMs, plans }
  const gate = await holdCredits(tx, hold)
  if (!gate.covered) throw new NotCovered(gate.available, amount)
  await tx`
    insert into music_generations (id, account_id, run_id, model, prompt, lyrics, parameters)
    values (${id}, ${accountId}, ${runId}, ${model}, ${request.prompt}, ${request.lyrics},
      ${JSON.stringify(toParameters(request))}::text::jsonb)`
  const { account_id: _, ...asked } = request
  const payload: MusicPayload = { generationId: id, creditsPerSecond, usage: { ...usage, runId }, asked }
  const metadata: MusicProgress & { generation_id: string } = { generation_id: id, stage: 'accepted', message: null }
  await insertJob(tx, {
    id: runId,
    accountId,
    taskIdentifier: musicJob,
    cancellable: false,
    version: buildId,
    payload,
    metadata,
  })
  return readGeneration(tx, runId)
}
