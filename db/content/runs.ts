import type { Clip } from '../../domain/content/clip.ts'
import type { ContentProgress, ContentRun, ContentSong } from '../../domain/content/runs.ts'
import { mergeMetadata } from '../jobs/jobs.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Maximum number of concurrent videos, in total and per account. */
export type ContentSlots = { all: number; perAccount: number }

/** Returns a run; undefined when it was deleted with its account. */
export async function findContentRun(db: Db | Tx, runId: string): Promise<ContentRun | undefined> {
  const [run] = await db<ContentRun[]>`
    select run_id, account_id, artist_name, wish as options, turn, state, image_key, song, clip, caption,
      asked_at is not null as is_requested, provider_request_id, video_key, error
    from content_runs where run_id = ${runId}`
  return run
}

export async function readContentRun(db: Db | Tx, runId: string): Promise<ContentRun> {
  const run = await findContentRun(db, runId)
  if (run === undefined) throw new Error('the content run was deleted')
  return run
}

/** Claims a slot and sets the run to `running`. Returns `full` when no slot is free. A run that has started keeps its slot. */
export async function claimContentSlot(
  tx: Tx,
  run: ContentRun,
  slots: ContentSlots,
): Promise<'begun' | 'full' | 'ended'> {
  if (run.state === 'running') return 'begun'
  // Serializes claims, so that the count includes every earlier claim.
  await tx`select pg_advisory_xact_lock(hashtextextended('content slots', 0))`
  const [liveCounts] = await tx<[{ all: number; perAccount: number }]>`
    select count(*)::int as all, count(*) filter (where account_id = ${run.accountId})::int as per_account
    from content_runs where state = 'running'`
  if (liveCounts.all >= slots.all || liveCounts.perAccount >= slots.perAccount) return 'full'
  const { count } = await tx`
    update content_runs set state = 'running' where run_id = ${run.runId} and state = 'queued'`
  return count === 1 ? 'begun' : 'ended'
}

export async function recordImage(db: Db, runId: string, key: string): Promise<void> {
  await db`update content_runs set image_key = ${key} where run_id = ${runId} and state = 'running'`
}

export async function recordSong(db: Db, runId: string, song: ContentSong): Promise<void> {
  await db`
    update content_runs set song = ${JSON.stringify(song)}::text::jsonb where run_id = ${runId} and state = 'running'`
}

/** Stores the clip, unless the run already has one. */
export async function recordClip(db: Db, runId: string, clip: Clip): Promise<void> {
  await db`
    update content_runs set clip = ${JSON.stringify(clip)}::text::jsonb
    where run_id = ${runId} and state = 'running' and clip is null`
}

/** Stores the caption and mood, unless the run already has a caption. */
export async function recordCaption(db: Db, runId: string, caption: string, mood?: string): Promise<void> {
  await db`
    update content_runs set caption = ${caption},
      song = song || jsonb_strip_nulls(jsonb_build_object('mood', ${mood ?? null}::text))
    where run_id = ${runId} and state = 'running' and caption is null`
}

/** Stores the reason why the run will fail, unless it already has one. */
export async function recordFailure(db: Db, runId: string, error: string): Promise<void> {
  await db`
    update content_runs set error = ${error} where run_id = ${runId} and state = 'running' and error is null`
}

export function updateContentProgress(db: Db | Tx, runId: string, progress: ContentProgress): Promise<void> {
  return mergeMetadata(db, runId, progress)
}
