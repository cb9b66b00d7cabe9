import type { ChunkResult } from '../../domain/measurements/states.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { countFreeSlots, type Slots } from '../scrapers/slots.ts'

export type ChunkRow = ChunkResult & { chunk: number; providerRunId: string | null }

/** `ageMs`: time since the intent was recorded. */
type AnnouncedChunk = { isNew: boolean; providerRunId: string | null; ageMs: number }

type ChunkKey = { snapshotId: string; chunk: number }
type ChunkRequest = ChunkKey & { accountId: string; albumCount: number }

/**
 * Claims a slot for a chunk and records the intent to call the provider. Returns the record of this or an earlier attempt.
 * `full`: no slot is free; a recorded chunk keeps its slot. `ended`: another attempt has ended the job or chunk.
 */
export async function announceChunk(
  tx: Tx,
  { snapshotId, accountId, chunk, albumCount }: ChunkRequest,
  slots: Slots,
): Promise<AnnouncedChunk | 'full' | 'ended'> {
  const liveJob = await tx`
    select 1 from playcount_snapshots where id = ${snapshotId} and state in ('queued', 'running') for share`
  // Counted before the chunk is read, so that two concurrent attempts record it once.
  const freeSlots = await countFreeSlots(tx, accountId, slots)
  const [existing] = await tx<(AnnouncedChunk & { isOpen: boolean })[]>`
    select false as is_new, provider_run_id, (extract(epoch from now() - created_at) * 1000)::float8 as age_ms,
      outcome = 'open' as is_open
    from capture_chunks where snapshot_id = ${snapshotId} and chunk = ${chunk}`
  if (existing !== undefined) return existing.isOpen ? existing : 'ended'
  if (liveJob.length === 0) return 'ended'
  if (freeSlots === 0) return 'full'
  await tx`insert into capture_chunks (snapshot_id, chunk, album_count) values (${snapshotId}, ${chunk}, ${albumCount})`
  return { isNew: true, providerRunId: null, ageMs: 0 }
}

/** Deletes the recorded intent of a chunk for which the provider started no run. */
export async function withdrawChunk(db: Db, { snapshotId, chunk }: ChunkKey): Promise<void> {
  await db`
    delete from capture_chunks
    where snapshot_id = ${snapshotId} and chunk = ${chunk} and provider_run_id is null and outcome = 'open'`
}

/** Stores the id of the chunk's provider run, unless it has an id. Returns false when the chunk has ended concurrently. */
export async function recordChunkRun(
  db: Db,
  { snapshotId, chunk, providerRunId }: ChunkKey & { providerRunId: string },
): Promise<boolean> {
  const [row] = await db<{ isOpen: boolean }[]>`
    update capture_chunks set provider_run_id = coalesce(provider_run_id, ${providerRunId})
    where snapshot_id = ${snapshotId} and chunk = ${chunk} returning outcome = 'open' as is_open`
  return row?.isOpen ?? false
}

/** Marks a chunk whose run succeeded as paid. Returns the timestamp of all its counts, which is the same on every call. */
export async function markChunkPaid(db: Db, { snapshotId, chunk }: ChunkKey): Promise<Date> {
  const [row] = await db<{ capturedAt: Date }[]>`
    update capture_chunks set is_paid = true, captured_at = coalesce(captured_at, now())
    where snapshot_id = ${snapshotId} and chunk = ${chunk} returning captured_at`
  if (row === undefined) throw new Error('the chunk was deleted')
  return row.capturedAt
}

/** Ends an open chunk as written. Returns false for an ended chunk, which does not change. */
export async function writeChunk(
  tx: Tx,
  { snapshotId, chunk }: ChunkKey,
  { measuredCount, unmeasuredAlbumIds }: Pick<ChunkResult, 'measuredCount' | 'unmeasuredAlbumIds'>,
): Promise<boolean> {
  const { count } = await tx`
    update capture_chunks set outcome = 'written', measured_count = ${measuredCount},
      unmeasured_album_ids = ${[...unmeasuredAlbumIds]}::text[]
    where snapshot_id = ${snapshotId} and chunk = ${chunk} and outcome = 'open'`
  return count === 1
}

/** Ends an open chunk as failed. An ended chunk does not change. */
export async function failChunk(db: Db, { snapshotId, chunk }: ChunkKey): Promise<void> {
  await db`
    update capture_chunks set outcome = 'failed'
    where snapshot_id = ${snapshotId} and chunk = ${chunk} and outcome = 'open'`
}

/** Returns the chunks of a job, by chunk number. */
export function listChunks(db: Db | Tx, snapshotId: string): Promise<ChunkRow[]> {
  return db<ChunkRow[]>`
  select chunk, album_count, outcome, measured_count, is_paid, provider_run_id,
    to_json(unmeasured_album_ids) as unmeasured_album_ids
  from capture_chunks where snapshot_id = ${snapshotId} order by chunk`
}

/** Reads a chunk whose intent was recorded. Throws when it was deleted. */
export async function readChunk(db: Db, snapshotId: string, chunk: number): Promise<ChunkRow> {
  const chunkRow = (await listChunks(db, snapshotId)).find((row) => row.chunk === chunk)
  if (chunkRow === undefined) throw new Error('the chunk was deleted')
  return chunkRow
}

/** Returns the run of the job that waits for this chunk, if any. */
export async function findOpenChunkRun(db: Db, { snapshotId, chunk }: ChunkKey): Promise<string | undefined> {
  const [row] = await db<{ runId: string }[]>`
    select job.run_id from capture_chunks chunk join playcount_snapshots job on job.id = chunk.snapshot_id
    where chunk.snapshot_id = ${snapshotId} and chunk.chunk = ${chunk} and chunk.outcome = 'open'`
  return row?.runId
}
