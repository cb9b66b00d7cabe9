import type { Db } from './client.ts'

export type RateCount = { count: number; resetSeconds: number }

/** Counts one more under a name, in a window that begins with its first; parallel calls each get a count of their own. */
export const countWithin = async (db: Db, name: string, seconds: number): Promise<RateCount> => {
  const [row] = await db<[RateCount]>`
    insert into rate_counts as counted (name, count, ends_at)
    values (${name}, 1, now() + make_interval(secs => ${seconds}::float8))
    on conflict (name) do update set
      count = case when counted.ends_at > now() then counted.count + 1 else 1 end,
      ends_at = case when counted.ends_at > now() then counted.ends_at else excluded.ends_at end
    returning count, greatest(1, ceil(extract(epoch from ends_at - now())))::int as "resetSeconds"`
  return row
}

export const deleteEndedCounts = async (db: Db): Promise<void> => {
  await db`delete from rate_counts where ends_at <= now()`
}
