import type { Clip } from '../../domain/content/clip.ts'
import { contentReference, type ContentProgress, type ContentRun, type ContentSong } from '../../domain/content/runs.ts'
import { releaseHold } from '../credits/ledger.ts'
import { mergeMetadata } from '../jobs/jobs.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { ofPage, type IdPage } from '../postgres/id-pages.ts'

/** Videos that are made at the same time, over all accounts and for one. */
export type ContentSlots = { all: number; ofAccount: number }

/** The run; undefined when it is gone with its account. */
export async function findContentRun(db: Db | Tx, runId: string): Promise<ContentRun | undefined> {
  const [run] = await db<ContentRun[]>`
    select run_id, account_id, artist_name, wish, turn, state, image_key, song, clip, caption,
      asked_at is not null as is_asked, provider_request_id, video_key, error
    from content_runs where run_id = ${runId}`
  return run
}

export async function readContentRun(db: Db | Tx, runId: string): Promise<ContentRun> {
  const run = await findContentRun(db, runId)
  if (run === undefined) throw new Error('the run is gone')
  return run
}

/** `running`, in a slot of its own; `full` when none is free. A run that has begun has its slot. */
export async function claimSlot(tx: Tx, run: ContentRun, slots: ContentSlots): Promise<'begun' | 'full' | 'ended'> {
  if (run.state === 'running') return 'begun'
  // Whoever counts sees what was taken before.
  await tx`select pg_advisory_xact_lock(hashtextextended('content slots', 0))`
  const [live] = await tx<[{ all: number; ofAccount: number }]>`
    select count(*)::int as all, count(*) filter (where account_id = ${run.accountId})::int as of_account
    from content_runs where state = 'running'`
  if (live.all >= slots.all || live.ofAccount >= slots.ofAccount) return 'full'
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

/** The first one stays. */
export async function recordClip(db: Db, runId: string, clip: Clip): Promise<void> {
  await db`
    update content_runs set clip = ${JSON.stringify(clip)}::text::jsonb
    where run_id = ${runId} and state = 'running' and clip is null`
}

/** The first ones stay. */
export async function recordCaption(db: Db, runId: string, caption: string, mood?: string): Promise<void> {
  await db`
    update content_runs set caption = ${caption},
      song = song || jsonb_strip_nulls(jsonb_build_object('mood', ${mood ?? null}::text))
    where run_id = ${runId} and state = 'running' and caption is null`
}

/** Why the run will fail; the first reason stays. */
export async function recordFault(db: Db, runId: string, error: string): Promise<void> {
  await db`
    update content_runs set error = ${error} where run_id = ${runId} and state = 'running' and error is null`
}

/** Notes that the renderer is about to be asked; false when an earlier attempt may have asked. */
export async function announceClip(db: Db, runId: string): Promise<boolean> {
  const { count } = await db`
    update content_runs set asked_at = now() where run_id = ${runId} and asked_at is null`
  return count === 1
}

/** Takes back the intent: the renderer said that it took nothing. */
export async function withdrawClip(db: Db, runId: string): Promise<void> {
  await db`
    update content_runs set asked_at = null where run_id = ${runId} and provider_request_id is null`
}

/** The first one stays. False when the run has ended meanwhile. */
export async function recordRequest(tx: Tx, runId: string, requestId: string): Promise<boolean> {
  const { count } = await tx`
    update content_runs set provider_request_id = coalesce(provider_request_id, ${requestId})
    where run_id = ${runId} and state = 'running'`
  return count === 1
}

export function showContentProgress(db: Db | Tx, runId: string, progress: ContentProgress): Promise<void> {
  return mergeMetadata(db, runId, progress)
}

/** Completes a run; false when it had ended. */
export async function completeContent(tx: Tx, runId: string, videoKey: string): Promise<boolean> {
  const { count } = await tx`
    update content_runs set state = 'completed', video_key = ${videoKey} where run_id = ${runId} and state = 'running'`
  return count === 1
}

/** Fails a run and gives its hold back; false when it had ended. Answers with the reason that stays. */
export async function failContent(
  tx: Tx,
  { runId, accountId }: Pick<ContentRun, 'runId' | 'accountId'>,
  reason: string,
): Promise<boolean> {
  const { count } = await tx`
    update content_runs set state = 'failed', error = coalesce(error, ${reason})
    where run_id = ${runId} and state in ('queued', 'running')`
  if (count === 0) return false
  await releaseHold(tx, { accountId, reference: contentReference(runId) })
  return true
}

type LeftBehind = Pick<ContentRun, 'accountId' | 'providerRequestId'> & { id: string }

/** Runs whose background run has ended without them: lost, or ended by force. */
export function listContentLeftBehind(db: Db, page: IdPage): Promise<LeftBehind[]> {
  return db<LeftBehind[]>`
    select content.run_id as id, content.account_id, content.provider_request_id
    from content_runs content join background_runs run on run.id = content.run_id
    where content.state in ('queued', 'running') and run.finished_at is not null
      and ${ofPage(db, page, 'content.run_id')}`
}
