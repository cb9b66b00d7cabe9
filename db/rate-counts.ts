import type { Db, Pool } from './postgres/client.ts'

export type RateCount = { count: number; resetSeconds: number }

type Increment = { name: string; seconds: number; amount: number; isDurable: boolean }

/**
 * Adds `amount` to a counter and returns the new count. The window starts with the first use. Concurrent calls return
 * different counts.
 */
export function incrementCount(db: Db, name: string, seconds: number, amount = 1): Promise<RateCount> {
  return count(db, { name, seconds, amount, isDurable: true })
}

/**
 * Like `incrementCount`, but for frequent requests. The commit does not wait for the disk, so that requests do not queue
 * for the row lock. A database crash loses only the latest counts.
 */
export function countRequest(db: Pool, name: string, seconds: number): Promise<RateCount> {
  return count(db, { name, seconds, amount: 1, isDurable: false })
}

/** Returns the count of the current window; 0 without an open window. */
export async function readCount(db: Db, name: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count from rate_counts where name = ${name} and ends_at > now()`
  return row?.count ?? 0
}

export async function deleteExpiredCounts(db: Db): Promise<void> {
  await db`delete from rate_counts where ends_at <= now()`
}

async function count(db: Db, { name, seconds, amount, isDurable }: Increment): Promise<RateCount> {
  const [row] = await db<[RateCount]>`
    insert into rate_counts as counted (name, count, ends_at)
    select ${name}::text, ${amount}::int, now() + make_interval(secs => ${seconds}::float8)
    ${isDurable ? db`` : db`from set_config('synchronous_commit', 'off', true)`}
    on conflict (name) do update set
      count = case when counted.ends_at > now() then counted.count + excluded.count else excluded.count end,
      ends_at = case when counted.ends_at > now() then counted.ends_at else excluded.ends_at end
    returning count, greatest(1, ceil(extract(epoch from ends_at - now())))::int as reset_seconds`
  return row
}
