import { playCountMetric, streamingPlatform } from '../../domain/measurements/scope.ts'
import type { LatestMeasurement } from '../../domain/measurements/list.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db } from '../postgres/client.ts'

/** SQL for the newest play count of the row `song` of the enclosing query; no row without a count. */
export function selectLatest(db: Db) {
  return db`
  select value, captured_at from latest_measurements latest
  where latest.isrc = song.isrc and latest.platform = ${streamingPlatform} and latest.metric = ${playCountMetric}`
}

/** SQL for the release day (`YYYY-MM-DD`) from which a catalog's age is counted; null when unknown. */
export function selectEarliestRelease(db: Db, catalogId: ReturnType<Db>) {
  return db`
  (select earliest_release::text from playcount_snapshots snapshot
    where snapshot.catalog_id = ${catalogId} and snapshot.state = 'done'
    order by snapshot.created_at desc, snapshot.id desc limit 1)`
}

type Scope = { catalogId: string; artistId: string | null; since: Date | null }

/** Measured data of a catalog: one page of songs, and the sums over all songs. */
export type MeasuredSongs = {
  songs: LatestMeasurement[]
  measuredSongCount: number
  totalStreams: bigint
  earliestRelease: string | null
  /** Whether the newest row of the valuation history is from today (UTC). */
  isValuedToday: boolean
}

type Row = {
  isrc: string | null
  title: string | null
  playCount: number
  measuredAt: Date
  before: number | null
  measuredSongCount: number
  totalStreams: string
  earliestRelease: string | null
  isValuedToday: boolean
}

/**
 * Reads a page of the catalog's songs with a play count, most plays first, and the sums over all such songs. `artistId`
 * limits both to songs linked to this artist. With `since`, each song also has `before`: its newest count at that time, or
 * null.
 */
export async function readMeasuredSongs(
  db: Db,
  { catalogId, artistId, since }: Scope,
  { limit, offset }: Page,
): Promise<MeasuredSongs> {
  const rows = await db<Row[]>`
    with measured as materialized (
      select song.isrc, song.name, latest.value, latest.captured_at
      from catalog_songs song cross join lateral (${selectLatest(db)}) latest
      where song.catalog_id = ${catalogId} ${artistId === null ? db`` : isLinkedTo(db, artistId)}
    ), totals as (
      select count(*)::int as count, coalesce(sum(value), 0)::text as streams from measured
    ), page as (
      select * from measured order by value desc, isrc limit ${limit} offset ${offset}
    )
    select song.isrc, coalesce(songs.name, song.name) as title, song.value as "playCount",
      song.captured_at as "measuredAt", earlier.value as before,
      totals.count as "measuredSongCount", totals.streams as "totalStreams",
      ${selectEarliestRelease(db, db`${catalogId}::uuid`)} as "earliestRelease",
      coalesce((
        select measured_on = (now() at time zone 'UTC')::date from catalog_valuations
        where catalog_id = ${catalogId} order by measured_at desc, id limit 1
      ), false) as "isValuedToday"
    from totals left join page song on true left join songs on songs.isrc = song.isrc
    left join lateral (${since === null ? db`select null::bigint as value` : selectLatestAt(db, since)}) earlier on true
    order by song.value desc, song.isrc`
  const [first] = rows
  if (first === undefined) throw new Error('the query for the sums of a catalog returned no row')
  return {
    songs: rows.flatMap(({ isrc, title, playCount, measuredAt, before }) =>
      isrc === null ? [] : [{ isrc, title, playCount, measuredAt, ...(since !== null && { before }) }],
    ),
    measuredSongCount: first.measuredSongCount,
    totalStreams: BigInt(first.totalStreams),
    earliestRelease: first.earliestRelease,
    isValuedToday: first.isValuedToday,
  }
}

/** Condition: the song is linked to the artist by the platform, or by the owners of this catalog. */
function isLinkedTo(db: Db, artistId: string) {
  return db`
  and exists (
    select 1 from song_artists link where link.isrc = song.isrc and link.artist_id = ${artistId}
      and (link.catalog_id is null or link.catalog_id = song.catalog_id)
  )`
}

/** SQL for the newest count of the song at a time. */
function selectLatestAt(db: Db, time: Date) {
  return db`
  select value from song_measurements earlier
  where earlier.isrc = song.isrc and platform = ${streamingPlatform} and metric = ${playCountMetric}
    and captured_at <= ${time}::timestamptz
  order by captured_at desc limit 1`
}
