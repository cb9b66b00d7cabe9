import type { Pool, Tx } from './client.ts'

const lockKey = 7_202_117_302
const prefix = 'stream_chunk_'
const dayMs = 86_400_000
/** A run of day D may start at its last moment and last this long. */
const longestRunMs = 4 * 3_600_000

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

const listPartitionDays = async (tx: Tx): Promise<string[]> => {
  const rows = await tx<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'stream_chunk'::regclass and c.relname ~ '^stream_chunk_[0-9]{8}$' order by 1`
  return rows.map(({ name }) => name.slice(prefix.length).replace(/(....)(..)(..)/, '$1-$2-$3'))
}

/** Changing partitions locks the whole table: it gives up soon when a reader is in the way, and is simply called again. */
export const alone = <T>(db: Pool, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.begin(async (tx) => {
    await tx`set local lock_timeout = '2s'`
    await tx`select pg_advisory_xact_lock(${lockKey})`
    return work(tx)
  }) as Promise<T>

/** Makes the stream log's partitions of today and the two days after it. Returns the days that were missing. */
export const ensurePartitions = (db: Pool, now = Date.now()): Promise<string[]> =>
  alone(db, async (tx) => {
    const present = new Set(await listPartitionDays(tx))
    const made: string[] = []
    for (const start of [0, 1, 2].map((days) => now + days * dayMs)) {
      const day = isoDay(start)
      if (present.has(day)) continue
      // Rows of a day that has begun without its partition are in the default one, where that day then stays.
      const [stray] = await tx`select 1 from stream_chunk_default where day = ${day} limit 1`
      if (stray) continue
      await tx`select make_stream_partition(${day}::date)`
      made.push(day)
    }
    return made
  })

/** Whether somebody may still read the log of a run: it is live, or has ended within the retention. */
const isReadable = (tx: Tx, retentionHours: number, now: number) => tx`
  (runs.status in ('queued', 'running')
    or runs.ended_at > ${new Date(now - retentionHours * 3_600_000)})`

/** Old days on which a run began that somebody may still read: a stuck one or a long one. */
const listReadableDays = async (
  tx: Tx,
  firstKept: string,
  readable: ReturnType<typeof isReadable>,
): Promise<Set<string>> => {
  const rows = await tx<{ day: string }[]>`
    select distinct head.day::text as day from runs join stream_head head on head.run_id = runs.id
    where head.day < ${firstKept} and ${readable}`
  return new Set(rows.map(({ day }) => day))
}

/** Drops the days whose every run ended longer ago than the retention. Returns the days that went. */
export const dropExpiredPartitions = (db: Pool, retentionHours: number, now = Date.now()): Promise<string[]> =>
  alone(db, async (tx) => {
    const firstKept = isoDay(now - retentionHours * 3_600_000 - longestRunMs)
    const readable = isReadable(tx, retentionHours, now)
    const old = (await listPartitionDays(tx)).filter((day) => day < firstKept)
    const kept = old.length === 0 ? new Set() : await listReadableDays(tx, firstKept, readable)
    const expired = old.filter((day) => !kept.has(day))
    for (const day of expired) await tx`select drop_stream_partition(${day}::date)`
    await tx`delete from stream_chunk_default where day < ${firstKept} and not exists (
      select 1 from runs where runs.id = run_id and ${readable})`
    return expired
  })
