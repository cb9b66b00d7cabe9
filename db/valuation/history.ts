import type { Band } from '../../domain/valuation/band.ts'
import type { Valuation } from '../../domain/valuation/history.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db } from '../postgres/client.ts'

export type NewValuation = {
  catalogId: string
  band: Band
  measuredSongCount: number
  totalStreams: bigint
  /**
   * The background run of the valuation, which adds one row. Null for a read: only the first read of each day (UTC) adds a
   * row.
   */
  runId: string | null
}

/** Adds a row to the history of a catalog. An existing row does not change. */
export async function insertValuation(db: Db, valuation: NewValuation): Promise<void> {
  const { catalogId, band, measuredSongCount, totalStreams, runId } = valuation
  await db`
    insert into catalog_valuations (catalog_id, low, mid, high, measured_song_count, total_streams, source, run_id)
    values (
      ${catalogId}, ${band.low}::text::numeric, ${band.mid}::text::numeric, ${band.high}::text::numeric,
      ${measuredSongCount}, ${String(totalStreams)}::text::bigint, ${runId === null ? 'read' : 'run'}, ${runId}
    ) on conflict do nothing`
}

/** Returns the valuations of a catalog, newest first. */
export async function listValuations(db: Db, catalogId: string, { limit, offset }: Page): Promise<Valuation[]> {
  const rows = await db<(Omit<Valuation, 'totalStreams'> & { totalStreams: string })[]>`
    select low::text, mid::text, high::text, measured_song_count as "measuredSongCount",
      total_streams::text as "totalStreams", measured_at as "measuredAt"
    from catalog_valuations where catalog_id = ${catalogId}
    order by measured_at desc, id limit ${limit} offset ${offset}`
  return rows.map((row) => ({ ...row, totalStreams: BigInt(row.totalStreams) }))
}
