import type { Page } from '../../domain/fields/pages.ts'
import type { Generation } from '../../domain/music/generation.ts'
import type { MusicStatus } from '../../domain/music/states.ts'
import type { RenderLog } from '../../domain/renders.ts'
import { disownMedia } from '../media.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { generationColumns } from './generations.ts'

/** Returns a generation with the latest lines of the renderer's log, oldest first. */
export async function findGenerationById(
  db: Db,
  id: string,
): Promise<{ generation: Generation; logs: RenderLog[] } | undefined> {
  const [row] = await db<(Generation & { logs: { at: string; message: string }[] })[]>`
    select ${generationColumns(db)}, logs from music_generations where id = ${id}`
  if (row === undefined) return undefined
  const { logs, ...generation } = row
  return { generation, logs: logs.map(({ at, message }) => ({ at: new Date(at), message })) }
}

type Scope = {
  accountId: string
  /** Includes generations of the account's organizations. */
  withOrganizations: boolean
  status?: MusicStatus | undefined
}

/** Returns generations, latest first. */
export function listGenerations(
  db: Db,
  { accountId, withOrganizations, status }: Scope,
  { limit, offset }: Page,
): Promise<Generation[]> {
  const organizations = db`
    union select organization_id from account_organization_ids where account_id = ${accountId} and state = 'member'`
  // Reads at most `offset + limit` generations of each owner, in index order.
  return db<Generation[]>`
    select ${generationColumns(db)} from music_generations
    where id in (
      select page.id from (
        select ${accountId}::uuid as account_id ${withOrganizations ? organizations : db``}
      ) as owner, lateral (
        select id, created_at from music_generations
        where account_id = owner.account_id ${status === undefined ? db`` : db`and status = ${status}`}
        order by created_at desc, id desc limit ${limit + offset}
      ) as page
      order by page.created_at desc, page.id desc limit ${limit} offset ${offset}
    )
    order by created_at desc, id desc`
}

/** Deletes a generation that has ended and returns the keys of its files. Undefined for a generation in progress. */
export async function deleteGeneration(tx: Tx, id: string): Promise<string[] | undefined> {
  const [deleted] = await tx<{ storageKey: string | null }[]>`
    delete from music_generations where id = ${id} and status in ('completed', 'failed') returning storage_key`
  if (deleted === undefined) return undefined
  const keys = [deleted.storageKey].filter((key) => key !== null)
  await disownMedia(tx, keys)
  return keys
}

/** Returns the prompt and lyrics of the account's completed track with this storage key. */
export async function findTrackByKey(
  db: Db,
  accountId: string,
  storageKey: string,
): Promise<Pick<Generation, 'prompt' | 'lyrics'> | undefined> {
  const [track] = await db<Pick<Generation, 'prompt' | 'lyrics'>[]>`
    select prompt, lyrics from music_generations
    where account_id = ${accountId} and storage_key = ${storageKey} and status = 'completed'`
  return track
}
