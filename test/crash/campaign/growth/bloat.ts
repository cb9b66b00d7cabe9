import type { Pool } from '../../../../db/postgres/client.ts'

export type TableSize = { table: string; rows: number; dead: number; bytes: number }

/** Measures every table with its indexes and partitions. Row counts are estimates of Postgres. */
export const measureTables = async (db: Pool): Promise<TableSize[]> => {
  // A crash of Postgres resets the row counts.
  await db`analyze`
  return db<TableSize[]>`
    select coalesce(p.relname, s.relname) as table, sum(s.n_live_tup)::int as rows, sum(s.n_dead_tup)::int as dead,
      sum(pg_total_relation_size(s.relid))::bigint as bytes
    from pg_stat_user_tables s
    left join pg_inherits i on i.inhrelid = s.relid
    left join pg_class p on p.oid = i.inhparent
    group by 1 order by bytes desc`
}

export const countRuns = async (db: Pool): Promise<number> => {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from runs`
  return row?.count ?? 0
}
