import { musicReference } from '../../domain/music/charge.ts'
import type { Generation } from '../../domain/music/generation.ts'
import { musicFaults, statusesBefore, type MusicFault } from '../../domain/music/states.ts'
import type { RenderLog } from '../../domain/renders.ts'
import { releaseHold, settleHold, type Usage } from '../credits/ledger.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { ofPage, type IdPage } from '../postgres/id-pages.ts'

/** Returns the generation of a background run; undefined when it was deleted with its account. */
export async function findGeneration(db: Db | Tx, runId: string): Promise<Generation | undefined> {
  const [generation] = await db<Generation[]>`
    select ${generationColumns(db)} from music_generations where run_id = ${runId}`
  return generation
}

export async function readGeneration(db: Db | Tx, runId: string): Promise<Generation> {
  const generation = await findGeneration(db, runId)
  if (generation === undefined) throw new Error('the generation is gone')
  return generation
}

export function generationColumns(db: Db | Tx) {
  return db`
  id, account_id, run_id, status, model, prompt, lyrics, parameters, duration_seconds::float8, storage_key,
  asked_at is not null as is_asked, provider_request_id, error_message, created_at, updated_at`
}

/** Records the intent to call the renderer. Returns false when an earlier attempt may have called it. */
export async function announceRender(db: Db, id: string): Promise<boolean> {
  const { count } = await db`update music_generations set asked_at = now() where id = ${id} and asked_at is null`
  return count === 1
}

/** Reverts the intent, because the renderer rejected the request. */
export async function withdrawRender(db: Db, id: string): Promise<void> {
  await db`update music_generations set asked_at = null where id = ${id} and provider_request_id is null`
}

/**
 * Sets the generation to `processing` with this request id; the first one is kept. Returns false when the generation
 * has ended concurrently.
 */
export async function recordRender(tx: Tx, id: string, requestId: string): Promise<boolean> {
  const { count } = await tx`
    update music_generations
    set status = 'processing', provider_request_id = coalesce(provider_request_id, ${requestId})
    where id = ${id} and (status = 'processing' or status in ${tx(statusesBefore('processing'))})`
  return count === 1
}

/** The last lines of the renderer's log, oldest first. */
export async function storeRenderLogs(tx: Tx, id: string, logs: readonly RenderLog[]): Promise<void> {
  await tx`
    update music_generations set logs = ${JSON.stringify(logs)}::text::jsonb where id = ${id} and status = 'processing'`
}

type StoredTrack = { key: string; durationSeconds: number | null }

/** Completes a generation and settles its hold. Returns false, without a charge, when it had already ended. */
export async function completeGeneration(
  tx: Tx,
  { id, accountId }: Pick<Generation, 'id' | 'accountId'>,
  { key, durationSeconds }: StoredTrack,
  charge: { amount: number; usage: Usage },
): Promise<boolean> {
  const { count } = await tx`
    update music_generations set status = 'completed', storage_key = ${key}, duration_seconds = ${durationSeconds}
    where id = ${id} and status in ${tx(statusesBefore('completed'))}`
  if (count === 0) return false
  await settleHold(tx, { accountId, reference: musicReference(id), ...charge })
  return true
}

/** Fails a generation and releases its hold. Returns false when it had already ended. */
export async function failGeneration(
  tx: Tx,
  { id, accountId }: Pick<Generation, 'id' | 'accountId'>,
  fault: MusicFault,
): Promise<boolean> {
  const { count } = await tx`
    update music_generations set status = 'failed', error_message = ${musicFaults[fault]}
    where id = ${id} and status in ${tx(statusesBefore('failed'))}`
  if (count === 0) return false
  await releaseHold(tx, { accountId, reference: musicReference(id) })
  return true
}

type LeftBehind = Pick<Generation, 'id' | 'accountId' | 'runId' | 'providerRequestId'>

/** Generations whose background run ended without them: lost or terminated. */
export function listGenerationsLeftBehind(db: Db, page: IdPage): Promise<LeftBehind[]> {
  return db<LeftBehind[]>`
    select generation.id, generation.account_id, generation.run_id, generation.provider_request_id
    from music_generations generation join background_runs run on run.id = generation.run_id
    where generation.status in ('pending', 'processing') and run.finished_at is not null
      and ${ofPage(db, page, 'generation.id')}`
}
