import type { Page } from '../../domain/fields/pages.ts'
import type { Generation } from '../../domain/music/generation.ts'
import type { MusicStatus } from '../../domain/music/states.ts'
import type { RenderLog } from '../../domain/renders.ts'
import type { Db } from '../postgres/client.ts'
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
    select organization_id from account_organization_ids where account_id = ${accountId} and state = 'member'`
  return db<Generation[]>`
    select ${generationColumns(db)} from music_generations
    where (account_id = ${accountId} ${withOrganizations ? db`or account_id in (${organizations})` : db``})
      ${status === undefined ? db`` : db`and status = ${status}`}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
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
