import { usdToCredits } from '../../domain/credits/money.ts'
import { captureReference } from '../../domain/measurements/price.ts'
import { settleJob, type ChunkResult, type JobEnd, type JobState } from '../../domain/measurements/states.ts'
import { releaseHold, settleHold, type Usage } from '../credits/ledger.ts'
import { mergeMetadata } from '../jobs/jobs.ts'
import { ofPage, type IdPage } from '../postgres/id-pages.ts'
import type { CaptureProgress } from './accept.ts'
import type { Db, Tx } from '../postgres/client.ts'

export type CaptureJob = { id: string; runId: string; accountId: string; albumIds: string[]; state: JobState }

/** The job of a background run; undefined when it is gone with its account. */
export async function findCaptureJob(db: Db | Tx, runId: string): Promise<CaptureJob | undefined> {
  const [job] = await db<CaptureJob[]>`
    select id, run_id, account_id, to_json(album_ids) as album_ids, state from playcount_snapshots where run_id = ${runId}`
  return job
}

export async function readCaptureJob(db: Db | Tx, runId: string): Promise<CaptureJob> {
  const job = await findCaptureJob(db, runId)
  if (job === undefined) throw new Error('the measurement job is gone')
  return job
}

/** `running`, unless the job has ended. True when it may go on. */
export async function beginCaptureJob(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`
    update playcount_snapshots set state = 'running' where id = ${id} and state in ('queued', 'running')`
  return count === 1
}

/**
 * Ends a job with what its hold becomes, in one transaction: a debit when it is done; nothing when it failed, and then the
 * estimate is of the chunks that the provider was paid for. Answers the debit; 0 for a job that had ended.
 */
export async function endCaptureJob(
  tx: Tx,
  id: string,
  end: JobEnd,
  { chunks, usdPerAlbum, usage }: { chunks: readonly ChunkResult[]; usdPerAlbum: string; usage: Usage },
): Promise<number> {
  const [job] = await tx<{ accountId: string; estimateUsd: string; heldCredits: number | null }[]>`
    select account_id, estimated_cost_usd::text as estimate_usd,
      (select amount::float8 from credit_holds where reference = ${captureReference(id)}) as held_credits
    from playcount_snapshots where id = ${id} and state in ('queued', 'running') for update`
  if (job === undefined) return 0
  const { accountId } = job
  // A hold that has expired meanwhile is what was asked for.
  const heldCredits = job.heldCredits ?? usdToCredits(job.estimateUsd)
  const { debit, estimateUsd } = settleJob(end, { estimateUsd: job.estimateUsd, heldCredits, usdPerAlbum }, chunks)
  const reference = captureReference(id)
  if (end.state === 'done') await settleHold(tx, { accountId, amount: debit, reference, usage })
  else await releaseHold(tx, { accountId, reference })
  await tx`
    update playcount_snapshots set state = ${end.state}, error = ${end.state === 'failed' ? end.error : null},
      credits_charged = ${debit}, estimated_cost_usd = ${estimateUsd}::text::numeric
    where id = ${id}`
  return debit
}

/** Of a job that has not ended. */
export async function storeEarliestRelease(db: Db, id: string, day: string): Promise<void> {
  await db`
    update playcount_snapshots set earliest_release = ${day}::text::date where id = ${id} and state in ('queued', 'running')`
}

/** Shows in the background run how many albums are measured, and how many songs they were mapped to. */
export async function showProgress(tx: Tx, { id, runId }: Pick<CaptureJob, 'id' | 'runId'>): Promise<void> {
  // Chunks that end at the same time count each other.
  await tx`select 1 from background_runs where id = ${runId} for update`
  const [progress] = await tx<[Omit<CaptureProgress, 'albums'>]>`
    select coalesce(sum(album_count), 0)::int as albums_measured, coalesce(sum(measured_count), 0)::int as songs_mapped
    from capture_chunks where snapshot_id = ${id} and outcome = 'written'`
  await mergeMetadata(tx, runId, { ...progress })
}

type LeftBehind = { id: string; isCancelled: boolean; payload: unknown }

/** Jobs whose background run has ended without them: before the engine had it, or by force. */
export function listJobsLeftBehind(db: Db, page: IdPage): Promise<LeftBehind[]> {
  return db<LeftBehind[]>`
    select job.id, run.status = 'CANCELED' as is_cancelled, run.payload
    from playcount_snapshots job join background_runs run on run.id = job.run_id
    where job.state in ('queued', 'running') and run.finished_at is not null and ${ofPage(db, page, 'job.id')}`
}
