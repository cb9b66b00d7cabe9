import type { Db } from './client.ts'

export type RateCount = { count: number; resetSeconds: number }

/** Counts one more (or `by`) under a name, in a window that begins with its first; parallel calls each get a count of their own. */
export const countWithin = async (db: Db, name: string, seconds: number, by = 1): Promise<RateCount> => {
  const [row] = await db<[RateCount]>`
    insert into rate_counts as counted (name, count, ends_at)
    values (${name}, ${by}, now() + make_interval(secs => ${seconds}::float8))
    on conflict (name) do update set
      count = case when counted.ends_at > now() then counted.count + excluded.count else excluded.count end,
      ends_at = case when counted.ends_at > now() then counted.ends_at else excluded.ends_at end
    returning count, greatest(1, ceil(extract(epoch from ends_at - now())))::int as "resetSeconds"`
  return row
}

export const deleteEndedCounts = async (db: Db): Promise<void> => {
  await db`delete from rate_counts where ends_at <= now()`
}
