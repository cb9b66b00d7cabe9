import type { Pool, Tx } from '../postgres/client.ts'
import { withPartitionLock } from '../postgres/partitions.ts'

const prefix = 'stream_chunk_'
const dayMs = 86_400_000
/** Maximum duration of a run, which may start at the end of a day. */
const maxRunDurationMs = 4 * 3_600_000

/** Creates the missing partitions of the stream log for today and the next two days. Returns the created days. */
export function ensurePartitions(db: Pool, now = Date.now()): Promise<string[]> {
  return withPartitionLock(db, async (tx) => {
    const existingDays = new Set(await listPartitionDays(tx))
    const created: string[] = []
    for (const start of [0, 1, 2].map((days) => now + days * dayMs)) {
      const day = isoDay(start)
      if (existingDays.has(day)) continue
      // If rows of the day are already in the default partition, all rows of the day stay there.
      const [stray] = await tx`select 1 from stream_chunk_default where day = ${day} limit 1`
      if (stray) continue
      await tx`select make_stream_partition(${day}::date)`
      created.push(day)
    }
    return created
  })
}

/** Drops the partitions of days whose runs all ended before the retention period. Returns these days. */
export function dropExpiredPartitions(db: Pool, retentionHours: number, now = Date.now()): Promise<string[]> {
  return withPartitionLock(db, async (tx) => {
    const firstRetainedDay = isoDay(now - retentionHours * 3_600_000 - maxRunDurationMs)
    const readable = isReadable(tx, retentionHours, now)
    const oldDays = (await listPartitionDays(tx)).filter((day) => day < firstRetainedDay)
    const readableDays = oldDays.length === 0 ? new Set() : await listReadableDays(tx, firstRetainedDay, readable)
    const expiredDays = oldDays.filter((day) => !readableDays.has(day))
    for (const day of expiredDays) await tx`select drop_stream_partition(${day}::date)`
    await tx`delete from stream_chunk_default where day < ${firstRetainedDay} and not exists (
      select 1 from runs where runs.id = run_id and ${readable})`
    return expiredDays
  })
}

async function listPartitionDays(tx: Tx): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'stream_chunk'::regclass and c.relname ~ '^stream_chunk_[0-9]{8}$' order by 1`
  return rows.map(({ name }) => name.slice(prefix.length).replace(/(....)(..)(..)/, '$1-$2-$3'))
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** SQL condition: the log of the run can still be read, because the run is live or ended within the retention period. */
function isReadable(tx: Tx, retentionHours: number, now: number) {
  return tx`
  (runs.status in ('queued', 'running')
    or runs.ended_at > ${new Date(now - retentionHours * 3_600_000)})`
}

/** Returns the days before `firstRetainedDay` that have a readable log, because one of their runs is stuck or ran long. */
async function listReadableDays(
  tx: Tx,
  firstRetainedDay: string,
  readable: ReturnType<typeof isReadable>,
): Promise<Set<string>> {
  const rows = await tx<{ day: string }[]>`
    select distinct head.day::text as day from runs join stream_head head on head.run_id = runs.id
    where head.day < ${firstRetainedDay} and ${readable}`
  return new Set(rows.map(({ day }) => day))
}
