import type { Db, Pool } from './postgres/client.ts'

export type RateCount = { count: number; resetSeconds: number }

type Counted = { name: string; seconds: number; by: number; waits: boolean }

/** Counts one more (or `by`) under a name, in a window that begins with its first; parallel calls each get a count of their own. */
export function countWithin(db: Db, name: string, seconds: number, by = 1): Promise<RateCount> {
  return count(db, { name, seconds, by, waits: true })
}

/**
 * The same for each of many requests: none waits for the disk while the next one waits for its row. What a crash of the
 * database forgets is the last moment.
 */
export function countRequest(db: Pool, name: string, seconds: number): Promise<RateCount> {
  return count(db, { name, seconds, by: 1, waits: false })
}

/** The count of a name in its window; 0 when none is open. */
export async function readCount(db: Db, name: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count from rate_counts where name = ${name} and ends_at > now()`
  return row?.count ?? 0
}

export async function deleteEndedCounts(db: Db): Promise<void> {
  await db`delete from rate_counts where ends_at <= now()`
}

async function count(db: Db, { name, seconds, by, waits }: Counted): Promise<RateCount> {
  const [row] = await db<[RateCount]>`
    insert into rate_counts as counted (name, count, ends_at)
    select ${name}::text, ${by}::int, now() + make_interval(secs => ${seconds}::float8)
    ${waits ? db`` : db`from set_config('synchronous_commit', 'off', true)`}
    on conflict (name) do update set
      count = case when counted.ends_at > now() then counted.count + excluded.count else excluded.count end,
      ends_at = case when counted.ends_at > now() then counted.ends_at else excluded.ends_at end
    returning count, greatest(1, ceil(extract(epoch from ends_at - now())))::int as reset_seconds`
  return row
}
