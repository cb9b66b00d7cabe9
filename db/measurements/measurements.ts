import type { SongMeasurement } from '../../domain/measurements/capture.ts'
import { playCountMetric, streamingPlatform } from '../../domain/measurements/scope.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Results of one provider run. `capturedAt` is the same for all writes of a run. */
export type Capture = {
  snapshotId: string
  capturedAt: Date
  /** Provider name. */
  source: string
  providerRunId: string
  measurements: readonly SongMeasurement[]
}

/** Adds play counts of stored songs, once per song and time. Returns the number of new rows. */
export async function insertMeasurements(tx: Tx, capture: Capture): Promise<number> {
  const [added] = await tx<[{ count: number }]>`
    with added as (
      insert into song_measurements (isrc, platform, metric, value, captured_at, data_source, raw_ref, snapshot_id)
      select measured.isrc, ${streamingPlatform}, ${playCountMetric}, measured.value, ${capture.capturedAt}::timestamptz,
        ${capture.source}, ${capture.providerRunId}, ${capture.snapshotId}::uuid
      from unnest(
        ${capture.measurements.map(({ isrc }) => isrc)}::text[],
        ${capture.measurements.map(({ playCount }) => playCount)}::bigint[]
      ) as measured (isrc, value)
      on conflict (isrc, platform, metric, captured_at) do nothing
      returning isrc, platform, metric, value, captured_at
    ), newest as (
      insert into latest_measurements as latest (isrc, platform, metric, value, captured_at)
      select * from added order by isrc
      on conflict (isrc, platform, metric) do update set value = excluded.value, captured_at = excluded.captured_at
      where excluded.captured_at > latest.captured_at
    )
    select count(*)::int as count from added`
  return added.count
}

/**
 * SQL condition: the row was measured by this snapshot, or by an earlier snapshot whose missing albums this snapshot
 * measured.
 */
export function isMeasuredFor(db: Db, snapshotId: string) {
  return db`
  snapshot_id in (select unnest(earlier_snapshot_ids || id) from playcount_snapshots where id = ${snapshotId}::uuid)`
}

/** Returns the number of songs that the snapshot and its predecessors measured. */
export async function countMeasured(db: Db, snapshotId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(distinct isrc)::int as count from song_measurements where ${isMeasuredFor(db, snapshotId)}`
  return row.count
}
