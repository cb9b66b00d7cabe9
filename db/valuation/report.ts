import type { MeasuredSong } from '../../domain/valuation/releases.ts'
import { selectLatest } from '../measurements/latest.ts'
import type { Db } from '../postgres/client.ts'

/** Returns the album and the latest play count of each song of a catalog. */
export function listReportSongs(db: Db, catalogId: string): Promise<MeasuredSong[]> {
  return db<MeasuredSong[]>`
    select coalesce(songs.album, song.album) as album, latest.value as plays
    from catalog_songs song join songs on songs.isrc = song.isrc
    left join lateral (${selectLatest(db)}) latest on true
    where song.catalog_id = ${catalogId}`
}
