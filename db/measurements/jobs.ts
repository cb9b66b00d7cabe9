import { usdToCredits } from '../../domain/credits/money.ts'
import { captureReference } from '../../domain/measurements/price.ts'
import { expectedChunks, unmeasuredAlbums } from '../../domain/measurements/chunks.ts'
import { jobEnd, settleJob, type CaptureStop, type JobEnd, type JobState } from '../../domain/measurements/states.ts'
import { mergeMetadata } from '../jobs/jobs.ts'
import { chargeJob } from '../jobs/paid.ts'
import { listChunks, type ChunkRow } from './chunks.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Progress of a measurement job, stored in the metadata of its background run. */
export type CaptureProgress = { albums: number; albumsMeasured: number; songsMapped: number }

export type CaptureJob = { id: string; runId: string; accountId: string; albumIds: string[]; state: JobState }

/** Returns the job of a background run; undefined when it was deleted with its account. */
export async function findCaptureJob(db: Db | Tx, runId: string): Promise<CaptureJob | undefined> {
  const [job] = await db<CaptureJob[]>`
    select id, run_id, account_id, to_json(album_ids) as album_ids, state from playcount_snapshots where run_id = ${runId}`
  return job
}

export async function readCaptureJob(db: Db | Tx, runId: string): Promise<CaptureJob> {
  const job = await findCaptureJob(db, runId)
  if (job === undefined) throw new Error('the measurement job was deleted')
  return job
}

/** Sets the job to `running`. Returns false for an ended job. */
export async function beginCaptureJob(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`
    update playcount_snapshots set state = 'running' where id = ${id} and state in ('queued', 'running')`
  return count === 1
}

/** The price at acceptance. `heldCredits` is null when the hold has expired. */
type Estimate = { estimateUsd: string; usdPerAlbum: string; heldCredits: number | null }

export type EndedCapture = { end: JobEnd; charged: number; chunks: ChunkRow[] }

/**
 * Ends a job and settles its hold in one transaction, from the results of its chunks. Undefined when the job had already
 * ended.
 */
export async function endCaptureJob(
  tx: Tx,
  { id, runId, accountId, albumIds }: CaptureJob,
  stop: CaptureStop,
): Promise<EndedCapture | undefined> {
  const reference = captureReference(id)
  const [job] = await tx<Estimate[]>`
    select estimated_cost_usd::text as estimate_usd, (estimated_cost_usd / album_count)::text as usd_per_album,
      (select amount::float8 from credit_holds where reference = ${reference}) as held_credits
    from playcount_snapshots where id = ${id} and state in ('queued', 'running') for update`
  if (job === undefined) return undefined
  const { estimateUsd: estimate, usdPerAlbum } = job
  const rows = await listChunks(tx, id)
  const chunks = expectedChunks(albumIds, rows)
  const end = jobEnd(chunks, stop)
  // The amount of an expired hold is derived from the estimate.
  const heldCredits = job.heldCredits ?? usdToCredits(estimate)
  const { debit, estimateUsd } = settleJob(end, { estimateUsd: estimate, heldCredits, usdPerAlbum }, chunks)
  await chargeJob(tx, { runId, accountId, reference }, debit)
  await tx`
    update playcount_snapshots set state = ${end.state}, error = ${end.state === 'failed' ? end.error : null},
      credits_charged = ${debit}, estimated_cost_usd = ${estimateUsd}::text::numeric,
      unmeasured_album_ids = ${unmeasuredAlbums(albumIds, chunks)}::text[]
    where id = ${id}`
  return { end, charged: debit, chunks: rows }
}

/** Stores a release day if it is earlier than the stored day. Does nothing for an ended job. */
export async function storeEarliestRelease(db: Db, id: string, day: string): Promise<void> {
  await db`
    update playcount_snapshots set earliest_release = least(earliest_release, ${day}::text::date)
    where id = ${id} and state in ('queued', 'running')`
}

/** Updates the numbers of measured albums and mapped songs in the background run. */
export async function showProgress(tx: Tx, { id, runId }: Pick<CaptureJob, 'id' | 'runId'>): Promise<void> {
  // Serializes updates, so that the sums include chunks that end concurrently.
  await tx`select 1 from background_runs where id = ${runId} for update`
  const [progress] = await tx<[Omit<CaptureProgress, 'albums'>]>`
    select coalesce(sum(album_count - cardinality(unmeasured_album_ids)), 0)::int as albums_measured,
      coalesce(sum(measured_count), 0)::int as songs_mapped
    from capture_chunks where snapshot_id = ${id} and outcome = 'written'`
  await mergeMetadata(tx, runId, { ...progress })
}
