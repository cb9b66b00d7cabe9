import { createHash, randomUUID } from 'node:crypto'
import {
  captureCredits,
  captureUsd,
  isWithinBudget,
  monthStart,
  secondsToNextMonth,
} from '../../domain/measurements/price.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { albumSet, reuseWindowMs, streamingPlatform } from '../../domain/measurements/scope.ts'
import { isValuable, type JobState } from '../../domain/measurements/states.ts'
import { acceptJobs, type JobTerms } from '../jobs/paid.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { captureJobKind } from './job.ts'
import type { CaptureProgress } from './jobs.ts'

/** `request`: the request that a retry of the measurement sends. */
type CapturePayload = { snapshotId: string; request: RequestedCapture }
type RequestedCapture = { streaming_artist_id: string } | { scope: { album_ids: readonly string[] } }

export type MeasurementRequest = Pick<JobTerms, 'accountId' | 'usage'> & {
  /** In the order of measurement, without duplicates. */
  albumIds: readonly string[]
  /** The artist of the releases, if the request was for an artist. */
  streamingArtistId: string | null
  isrcs: readonly string[] | null
  /** Whether a valuation needs the counts. If so, the job completes an earlier snapshot that lacks too many albums. */
  isValued?: boolean
}

/** Prices and budget of measurements in this deployment. */
export type CaptureTerms = Pick<JobTerms, 'plans' | 'buildId'> & { usdPerAlbum: string; monthlyBudgetUsd: string }

export type AcceptedJob = {
  id: string
  runId: string
  state: JobState
  albumCount: number
  estimatedCostUsd: string
  /** Held credits; 0 for an existing job. */
  credits: number
  reused: boolean
}

/** The account's measurements exceed its budget of this month. Throwing it rolls back the hold. */
export class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('budget exceeded')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Reusable = Pick<AcceptedJob, 'id' | 'runId' | 'state' | 'albumCount'> & {
  unmeasuredAlbumIds: string[]
  earlierSnapshotIds: string[]
}

/** A snapshot whose missing albums a new job measures again. */
type Fragment = Pick<Reusable, 'id' | 'unmeasuredAlbumIds' | 'earlierSnapshotIds'>

/** Returns whether a valuation can reuse a measurement of the artist's releases free of charge. */
export async function hasReusableJob(db: Db, accountId: string, streamingArtistId: string): Promise<boolean> {
  const rows = await db`
    ${selectReusable(db)} and account_id = ${accountId} and streaming_artist_id = ${streamingArtistId} limit 1`
  return rows.length === 1
}

/**
 * Returns the newest reusable job of the paying account for the same albums, or else a new job with its hold and its
 * background run. Concurrent calls for the same albums wait and return the same job. Throws `InsufficientCreditsError`
 * and `BudgetExceededError`.
 */
export async function acceptMeasurementJob(
  tx: Tx,
  request: MeasurementRequest,
  { usdPerAlbum, monthlyBudgetUsd, plans, buildId }: CaptureTerms,
): Promise<AcceptedJob> {
  const { accountId, usage } = request
  const albumHash = createHash('sha256').update(albumSet(request.albumIds)).digest('hex')
  await tx`select pg_advisory_xact_lock(hashtextextended(${`capture ${accountId} ${albumHash}`}, 0))`
  const fragment = await findReusable(tx, request, albumHash)
  if (fragment !== undefined && !isFragment(request, fragment)) return reusedJob(fragment)
  const [id, runId, albumIds] = [randomUUID(), newJobId(), fragment?.unmeasuredAlbumIds ?? request.albumIds]
  const job = { id, runId, albumCount: albumIds.length, estimatedCostUsd: captureUsd(albumIds.length, usdPerAlbum) }
  const credits = captureCredits(albumIds.length, usdPerAlbum)
  const payload: CapturePayload = { snapshotId: id, request: toRequestedCapture(request) }
  const metadata: CaptureProgress = { albums: albumIds.length, albumsMeasured: 0, songsMapped: 0 }
  const insert = () => insertSnapshot(tx, { ...request, ...job, albumIds }, { albumHash, fragment })
  const jobs = [{ id: runId, keys: [id], payload, metadata, insert }]
  await acceptJobs(tx, captureJobKind, { accountId, usage, plans, buildId }, { price: credits, jobs })
  await requireBudget(tx, accountId, monthlyBudgetUsd)
  return { ...job, state: 'queued', credits, reused: false }
}

/** Returns the newest reusable job. Only valuations reuse a job that measured the missing albums of a fragment. */
async function findReusable(
  tx: Tx,
  { accountId, isValued = false }: MeasurementRequest,
  albumHash: string,
): Promise<Reusable | undefined> {
  const [reusableJob] = await tx<Reusable[]>`
    ${selectReusable(tx)} and account_id = ${accountId} and album_hash = ${albumHash}
      and (${isValued} or earlier_snapshot_ids = '{}')
    order by created_at desc, id desc limit 1`
  return reusableJob
}

function isFragment({ albumIds, isValued = false }: MeasurementRequest, { unmeasuredAlbumIds }: Reusable): boolean {
  return isValued && !isValuable({ albumCount: albumIds.length, unmeasured: unmeasuredAlbumIds.length })
}

function reusedJob({ id, runId, state, albumCount }: Reusable): AcceptedJob {
  return { id, runId, state, albumCount, estimatedCostUsd: '0', credits: 0, reused: true }
}

function toRequestedCapture({ streamingArtistId, albumIds }: MeasurementRequest): RequestedCapture {
  return streamingArtistId === null ? { scope: { album_ids: albumIds } } : { streaming_artist_id: streamingArtistId }
}

function selectReusable(db: Db) {
  return db`
  select id, run_id as "runId", state, album_count as "albumCount",
    to_json(unmeasured_album_ids) as "unmeasuredAlbumIds", to_json(earlier_snapshot_ids) as "earlierSnapshotIds"
  from playcount_snapshots
  where state in ('queued', 'running', 'done') and created_at > now() - make_interval(secs => ${reuseWindowMs / 1000}::float8)`
}

type NewSnapshot = MeasurementRequest & Pick<AcceptedJob, 'id' | 'runId' | 'albumCount' | 'estimatedCostUsd'>

async function insertSnapshot(
  tx: Tx,
  { id, runId, accountId, albumIds, streamingArtistId, isrcs, albumCount, estimatedCostUsd }: NewSnapshot,
  { albumHash, fragment }: { albumHash: string; fragment: Fragment | undefined },
): Promise<void> {
  const earlierIds = fragment === undefined ? [] : [...fragment.earlierSnapshotIds, fragment.id]
  await tx`
    insert into playcount_snapshots (
      id, account_id, run_id, streaming_artist_id, album_ids, isrcs, platforms, album_hash, album_count, estimated_cost_usd,
      earlier_snapshot_ids, earliest_release
    ) values (
      ${id}, ${accountId}, ${runId}, ${streamingArtistId}, ${[...albumIds]}::text[],
      ${isrcs === null ? null : [...isrcs]}::text[], ${[streamingPlatform]}::text[], ${albumHash}, ${albumCount},
      ${estimatedCostUsd}::text::numeric, ${earlierIds}::uuid[],
      (select earliest_release from playcount_snapshots where id = ${earlierIds.at(-1) ?? null}::uuid)
    )`
}

/**
 * Checks the sum of this month's estimates, including the new job. The lock of the hold serializes the jobs of an
 * account.
 */
async function requireBudget(tx: Tx, accountId: string, budgetUsd: string): Promise<void> {
  const now = new Date()
  const [month] = await tx<[{ spentUsd: string }]>`
    select coalesce(sum(estimated_cost_usd), 0)::text as "spentUsd" from playcount_snapshots
    where account_id = ${accountId} and created_at >= ${monthStart(now)}::timestamptz`
  if (isWithinBudget({ spentUsd: month.spentUsd, estimateUsd: '0', budgetUsd })) return
  throw new BudgetExceededError(secondsToNextMonth(now))
}
