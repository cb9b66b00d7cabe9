import { scrapeErrors, type ScrapeError, type ScrapeState } from '../../domain/scrapers/runs.ts'
import { scrapeReference } from '../../domain/scrapers/price.ts'
import type { ScrapedToken } from '../../domain/scrapers/platforms.ts'
import { refundDebit } from '../credits/ledger.ts'
import { mergeMetadata } from '../jobs/jobs.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { countFreeSlots, type Slots } from './slots.ts'

/** Progress of a batch: metadata of its background run. */
export type ScrapeProgress = { profiles: number; profilesDone: number; postsStored: number }

export type ProfileRun = {
  runId: string
  batchRunId: string
  accountId: string
  socialId: string | null
  platform: ScrapedToken
  profileUrl: string
  handle: string
  posts: number | null
  providerRunId: string | null
  state: ScrapeState
  error: string | null
  postCount: number
  isRequested: boolean
  /** Milliseconds since the first provider request of this run; 0 before the request. */
  ageMs: number
}

/** Sets a queued batch to EXECUTING. Returns its profile runs that have not ended, in order. */
export async function beginBatch(tx: Tx, batchRunId: string): Promise<string[]> {
  await tx`update scraper_batches set state = 'EXECUTING' where run_id = ${batchRunId} and state = 'QUEUED'`
  const runs = await tx<{ runId: string }[]>`
    select run_id from scraper_runs where batch_run_id = ${batchRunId} and finished_at is null order by position`
  return runs.map(({ runId }) => runId)
}

export async function readProfileRun(db: Db | Tx, runId: string): Promise<ProfileRun> {
  const [run] = await listMatchingRuns(db, db`run.run_id = ${runId}`)
  if (run === undefined) throw new Error('the scrape of the profile was deleted')
  return run
}

/** Returns the profile runs in the order of the batch. */
export function listProfileRuns(db: Db | Tx, batchRunId: string): Promise<ProfileRun[]> {
  return listMatchingRuns(db, db`run.batch_run_id = ${batchRunId}`)
}

function listMatchingRuns(db: Db | Tx, condition: ReturnType<Db>): Promise<ProfileRun[]> {
  return db<ProfileRun[]>`
    select run.run_id, run.batch_run_id, batch.account_id, run.social_id, run.platform, run.profile_url, run.handle,
      batch.posts, run.provider_run_id, run.state, run.error, cardinality(run.post_ids) as post_count,
      run.asked_at is not null as is_requested,
      coalesce(extract(epoch from now() - run.asked_at) * 1000, 0)::float8 as age_ms
    from scraper_runs run join scraper_batches batch on batch.run_id = run.batch_run_id
    where ${condition} order by run.position`
}

/**
 * Claims a slot for a run and records the intent to call the provider. `known`: an earlier attempt recorded it. `full`: no
 * slot is free. `ended`: the run has ended or was deleted.
 */
export async function announceProfile(
  tx: Tx,
  run: ProfileRun,
  slots: Slots,
): Promise<'new' | 'known' | 'full' | 'ended'> {
  const [current] = await tx<{ isRequested: boolean; isEnded: boolean }[]>`
    select asked_at is not null as is_requested, finished_at is not null as is_ended from scraper_runs
    where run_id = ${run.runId} for update`
  if (current === undefined || current.isEnded) return 'ended'
  if (current.isRequested) return 'known'
  if ((await countFreeSlots(tx, run.accountId, slots)) === 0) {
    await tx`
      update scraper_batches set waiting_since = coalesce(waiting_since, now()) where run_id = ${run.batchRunId}`
    return 'full'
  }
  await tx`update scraper_batches set waiting_since = null where run_id = ${run.batchRunId}`
  await tx`
    update scraper_runs set asked_at = now(), state = 'EXECUTING', started_at = coalesce(started_at, now())
    where run_id = ${run.runId}`
  return 'new'
}

const maxBatches = 20

/** Returns the longest-waiting batch of each account that waits for a slot: at most 20 batches, longest wait first. */
export async function listWaitingBatches(db: Db): Promise<string[]> {
  const batches = await db<{ id: string }[]>`
    select id from (
      select distinct on (account_id) run_id as id, waiting_since from scraper_batches
      where waiting_since is not null and state in ('QUEUED', 'EXECUTING') order by account_id, waiting_since
    ) as waiting order by waiting_since limit ${maxBatches}`
  return batches.map(({ id }) => id)
}

/** Deletes the recorded intent of a profile for which the provider started no run. This releases the slot. */
export async function withdrawProfile(db: Db, runId: string): Promise<void> {
  await db`
    update scraper_runs set asked_at = null where run_id = ${runId} and provider_run_id is null and finished_at is null`
}

/**
 * Stores the id of the profile's provider run, unless the profile has an id. Returns false when the profile has ended
 * concurrently.
 */
export async function recordProviderRun(db: Db, runId: string, providerRunId: string): Promise<boolean> {
  const [run] = await db<{ isLive: boolean }[]>`
    update scraper_runs set provider_run_id = coalesce(provider_run_id, ${providerRunId}) where run_id = ${runId}
    returning finished_at is null as is_live`
  return run?.isLive ?? false
}

/** Fails a live profile and refunds its price once, because no data was stored. Returns false when it had already ended. */
export async function failProfile(tx: Tx, run: ProfileRun, error: ScrapeError): Promise<boolean> {
  const { count } = await tx`
    update scraper_runs set state = 'FAILED', error = ${scrapeErrors[error]}, finished_at = now(),
      started_at = coalesce(started_at, now())
    where run_id = ${run.runId} and finished_at is null`
  if (count === 0) return false
  await refundDebit(tx, {
    accountId: run.accountId,
    reference: scrapeReference(run.runId),
    reason: scrapeErrors[error],
  })
  await showBatchProgress(tx, run.batchRunId)
  return true
}

/** Updates the numbers of finished profiles and stored posts in the background run. */
export async function showBatchProgress(tx: Tx, batchRunId: string): Promise<void> {
  // Serializes updates, so that the sums include profiles that end concurrently.
  await tx`select 1 from background_runs where id = ${batchRunId} for update`
  const [progress] = await tx<[Omit<ScrapeProgress, 'profiles'>]>`
    select count(*) filter (where finished_at is not null)::int as profiles_done,
      coalesce(sum(cardinality(post_ids)), 0)::int as posts_stored
    from scraper_runs where batch_run_id = ${batchRunId}`
  await mergeMetadata(tx, batchRunId, { ...progress })
}
