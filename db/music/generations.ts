import type { Generation } from '../../domain/music/generation.ts'
import type { RenderLog } from '../../domain/renders.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Returns the generation of a background run; undefined when it was deleted with its account. */
export async function findGeneration(db: Db | Tx, runId: string): Promise<Generation | undefined> {
  const [generation] = await db<Generation[]>`
    select ${generationColumns(db)} from music_generations where run_id = ${runId}`
  return generation
}

export async function readGeneration(db: Db | Tx, runId: string): Promise<Generation> {
  const generation = await findGeneration(db, runId)
  if (generation === undefined) throw new Error('the generation was deleted')
  return generation
}

export function generationColumns(db: Db | Tx) {
  return db`
  id, account_id, run_id, status, model, prompt, lyrics, parameters, duration_seconds::float8, storage_key,
  asked_at is not null as is_requested, provider_request_id, error_message, created_at, updated_at`
}

/** Stores the latest lines of the renderer's log, oldest first. */
export async function storeRenderLogs(tx: Tx, runId: string, logs: readonly RenderLog[]): Promise<void> {
  await tx`
    update music_generations set logs = ${JSON.stringify(logs)}::text::jsonb where run_id = ${runId} and status = 'processing'`
}
