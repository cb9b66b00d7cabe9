import type { Page } from '../../domain/fields/pages.ts'
import type { Generation } from '../../domain/music/generation.ts'
import type { MusicStatus } from '../../domain/music/states.ts'
import type { RenderLog } from '../../domain/renders.ts'
import { disownMedia } from '../media.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { generationColumns } from './generations.ts'

/** With the last lines of the renderer's log, oldest first. */
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
  /** With those of the organizations that the account is a member of. */
  withOrganizations: boolean
  status?: MusicStatus | undefined
}

/** Latest first. */
export function listGenerations(
  db: Db,
  { accountId, withOrganizations, status }: Scope,
  { limit, offset }: Page,
): Promise<Generation[]> {
  const organizations = db`
    union select organization_id from account_organization_ids where account_id = ${accountId} and state = 'member'`
  // Of each owner as many as fit on the page, in the order of an index.
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

/** Deletes a generation that has ended; answers the keys of its files. Undefined for one that is being made. */
export async function deleteGeneration(tx: Tx, id: string): Promise<string[] | undefined> {
  const [gone] = await tx<{ storageKey: string | null }[]>`
    delete from music_generations where id = ${id} and status in ('completed', 'failed') returning storage_key`
  if (gone === undefined) return undefined
  const keys = [gone.storageKey].filter((key) => key !== null)
  await disownMedia(tx, keys)
  return keys
}

/** What a completed track of this account was made of, by its key in the store. */
export async function findTrackAt(
  db: Db,
  accountId: string,
  storageKey: string,
): Promise<Pick<Generation, 'prompt' | 'lyrics'> | undefined> {
  const [track] = await db<Pick<Generation, 'prompt' | 'lyrics'>[]>`
    select prompt, lyrics from music_generations
    where account_id = ${accountId} and storage_key = ${storageKey} and status = 'completed'`
  return track
}

/** The run of a track or a video that waits for the request whose id begins so; undefined when none does. */
export async function findRunOfRequest(db: Db, requestIdPrefix: string): Promise<string | undefined> {
  const [row] = await db<{ runId: string }[]>`
    select run_id from music_generations
    where starts_with(provider_request_id, ${requestIdPrefix}) and status = 'processing'
    union all
    select run_id from content_runs
    where starts_with(provider_request_id, ${requestIdPrefix}) and state = 'running' limit 1`
  return row?.runId
}
