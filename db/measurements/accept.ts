import { createHash } from 'node:crypto'
import {
  captureCredits,
  captureHoldMs,
  captureReference,
  captureUsd,
  isWithinBudget,
  monthStart,
  secondsToNextMonth,
} from '../../domain/measurements/price.ts'
import type { PlanRules } from '../../domain/credits/plans.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { albumSet, reuseMs, streamingPlatform } from '../../domain/measurements/scope.ts'
import { isValuable, type JobState } from '../../domain/measurements/states.ts'
import { holdCredits, type Usage } from '../credits/ledger.ts'
import { insertJob } from '../jobs/jobs.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** The job that measures play counts; its payload is `CapturePayload`. */
export const captureJob = 'capture-play-counts'
/** `usage`: goes with the debit of the hold. `asked`: the request that repeats the measurement. */
export type CapturePayload = { snapshotId: string; usage: Usage; asked?: RequestedCapture }
type RequestedCapture = { streaming_artist_id: string } | { scope: { album_ids: readonly string[] } }

/** Progress of a job: metadata of its background run, updated by its measurement. */
export type CaptureProgress = { albums: number; albumsMeasured: number; songsMapped: number }

export type MeasurementRequest = {
  /** The account that pays. */
  accountId: string
  /** In the order of measurement, without duplicates. */
  albumIds: readonly string[]
  /** The artist of the releases, if the request was for an artist. */
  streamingArtistId: string | null
  isrcs: readonly string[] | null
  /** Whether the counts will be valued: a snapshot that misses too many albums then has those measured again. */
  isValued?: boolean
  usage: Usage
}

/** Prices and budget of measurements in this deployment. */
export type CaptureTerms = { usdPerAlbum: string; monthlyBudgetUsd: string; plans: PlanRules; buildId: string }

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

/** Reason why no job is created. Thrown, so that the transaction reverts the hold. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused'
  readonly reason: { is: 'credits'; available: number; required: number } | { is: 'budget'; retryAfterSeconds: number }

  constructor(reason: JobRefused['reason']) {
    super(reason.is)
    this.reason = reason
  }
}

type Reusable = Pick<AcceptedJob, 'id' | 'runId' | 'state' | 'albumCount'> & {
  unmeasuredAlbumIds: string[]
  earlierSnapshotIds: string[]
}

/** A snapshot whose missing albums a new job measures again. */
type Fragment = Pick<Reusable, 'id' | 'unmeasuredAlbumIds' | 'earlierSnapshotIds'>

/** True when a valuation can reuse a measurement of the artist's releases without payment. */
export async function hasReusableJob(db: Db, accountId: string, streamingArtistId: string): Promise<boolean> {
  const rows = await db`
    ${reusable(db)} and account_id = ${accountId} and streaming_artist_id = ${streamingArtistId} limit 1`
  return rows.length === 1
}

/**
 * Returns the newest reusable job of the account for the same albums, or else a new one with its hold and its
 * background run. Parallel calls for one album set wait for each other and return the same job. Throws `JobRefused`.
 */
export async function acceptMeasurementJob(
  tx: Tx,
  request: MeasurementRequest,
  terms: CaptureTerms,
): Promise<AcceptedJob> {
  const albumHash = createHash('sha256').update(albumSet(request.albumIds)).digest('hex')
  await tx`select pg_advisory_xact_lock(hashtextextended(${`capture ${request.accountId} ${albumHash}`}, 0))`
  const found = await findReusable(tx, request, albumHash)
  if (found !== undefined && !isFragment(request, found)) return reusedJob(found)
  const job = await insertSnapshot(tx, request, { albumHash, usdPerAlbum: terms.usdPerAlbum, fragment: found })
  const credits = captureCredits(job.albumCount, terms.usdPerAlbum)
  await holdPrice(tx, request.accountId, { jobId: job.id, credits, plans: terms.plans })
  await requireBudget(tx, request.accountId, terms.monthlyBudgetUsd)
  const usage = { ...request.usage, runId: job.runId }
  const payload: CapturePayload = { snapshotId: job.id, usage, asked: toRequestedCapture(request) }
  const metadata: CaptureProgress = { albums: job.albumCount, albumsMeasured: 0, songsMapped: 0 }
  await insertJob(tx, {
    id: job.runId,
    accountId: request.accountId,
    taskIdentifier: captureJob,
    cancellable: true,
    version: terms.buildId,
    payload,
    metadata,
  })
  return { ...job, credits, reused: false }
}

/** Newest first. A job that measures missing albums of a fragment is part of it, and reusable only for a valuation. */
async function findReusable(
  tx: Tx,
  { accountId, isValued = false }: MeasurementRequest,
  albumHash: string,
): Promise<Reusable | undefined> {
  const [found] = await tx<Reusable[]>`
    ${reusable(tx)} and account_id = ${accountId} and album_hash = ${albumHash}
      and (${isValued} or earlier_snapshot_ids = '{}')
    order by created_at desc, id desc limit 1`
  return found
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

function reusable(db: Db) {
  return db`
  select id, run_id as "runId", state, album_count as "albumCount",
    to_json(unmeasured_album_ids) as "unmeasuredAlbumIds", to_json(earlier_snapshot_ids) as "earlierSnapshotIds"
  from playcount_snapshots
  where state in ('queued', 'running', 'done') and created_at > now() - make_interval(secs => ${reuseMs / 1000}::float8)`
}

async function insertSnapshot(
  tx: Tx,
  { accountId, albumIds: requestedIds, streamingArtistId, isrcs }: MeasurementRequest,
  { albumHash, usdPerAlbum, fragment }: { albumHash: string; usdPerAlbum: string; fragment: Fragment | undefined },
): Promise<Omit<AcceptedJob, 'credits' | 'reused'>> {
  const runId = newJobId()
  const albumIds = fragment?.unmeasuredAlbumIds ?? requestedIds
  const earlierIds = fragment === undefined ? [] : [...fragment.earlierSnapshotIds, fragment.id]
  const estimatedCostUsd = captureUsd(albumIds.length, usdPerAlbum)
  const [row] = await tx<[{ id: string }]>`
    insert into playcount_snapshots (
      account_id, run_id, streaming_artist_id, album_ids, isrcs, platforms, album_hash, album_count, estimated_cost_usd,
      earlier_snapshot_ids, earliest_release
    ) values (
      ${accountId}, ${runId}, ${streamingArtistId}, ${[...albumIds]}::text[], ${isrcs === null ? null : [...isrcs]}::text[],
      ${[streamingPlatform]}::text[], ${albumHash}, ${albumIds.length}, ${estimatedCostUsd}::text::numeric,
      ${earlierIds}::uuid[], (select earliest_release from playcount_snapshots where id = ${earlierIds.at(-1) ?? null}::uuid)
    ) returning id`
  return { id: row.id, runId, state: 'queued', albumCount: albumIds.length, estimatedCostUsd }
}

async function holdPrice(
  tx: Tx,
  accountId: string,
  { jobId, credits, plans }: { jobId: string; credits: number; plans: PlanRules },
): Promise<void> {
  const reference = captureReference(jobId)
  const gate = await holdCredits(tx, { accountId, amount: credits, reference, lifetimeMs: captureHoldMs, plans })
  if (!gate.covered) throw new JobRefused({ is: 'credits', available: gate.available, required: credits })
}

/**
 * Checks the sum of this month's estimates, including the new job. The hold's lock makes jobs of an account wait for
 * each other.
 */
async function requireBudget(tx: Tx, accountId: string, budgetUsd: string): Promise<void> {
  const now = new Date()
  const [month] = await tx<[{ spentUsd: string }]>`
    select coalesce(sum(estimated_cost_usd), 0)::text as "spentUsd" from playcount_snapshots
    where account_id = ${accountId} and created_at >= ${monthStart(now)}::timestamptz`
  if (isWithinBudget({ spentUsd: month.spentUsd, estimateUsd: '0', budgetUsd })) return
  throw new JobRefused({ is: 'budget', retryAfterSeconds: secondsToNextMonth(now) })
}
