import type { ArtistSong } from '../../domain/artists/public-profile.ts'
import type { Page } from '../../domain/fields/pages.ts'
import { selectEarliestRelease, selectLatest } from '../measurements/latest.ts'
import type { Db } from '../postgres/client.ts'
import { selectVisibleCatalogIds } from './catalogs.ts'

type Row = Omit<ArtistSong, 'isrc'> & { isrc: string | null; count: number }

/**
 * Returns the songs that the platform links to the artist in the catalogs that the account can see: latest catalog first,
 * then most plays first. A single query reads all catalogs.
 */
export async function listSongsOfArtist(
  db: Db,
  { accountId, artistId }: { accountId: string; artistId: string },
  { limit, offset }: Page,
): Promise<{ songs: ArtistSong[]; count: number }> {
  const rows = await db<Row[]>`
    with found as materialized (
      select catalog.id as catalog_id, catalog.name as catalog_name, catalog.created_at, songs.isrc, songs.name,
        songs.album, songs.artwork_url, latest.value
      from song_artists link join catalog_songs song on song.isrc = link.isrc
      join catalogs catalog on catalog.id = song.catalog_id join songs on songs.isrc = song.isrc
      left join lateral (${selectLatest(db)}) latest on true
      where link.artist_id = ${artistId} and link.catalog_id is null and catalog.id in (${selectVisibleCatalogIds(db, accountId)})
    ), page as (
      select * from found order by created_at desc, catalog_id, value desc nulls last, isrc
      limit ${limit} offset ${offset}
    )
    select total.count, catalog_id as "catalogId", catalog_name as "catalogName", isrc, name, album,
      artwork_url as "artworkUrl", value as plays, ${selectEarliestRelease(db, db`page.catalog_id`)} as "earliestRelease"
    from (select count(*)::int as count from found) as total left join page on true
    order by created_at desc, catalog_id, value desc nulls last, isrc`
  return {
    songs: rows.flatMap(({ count: _count, isrc, ...song }) => (isrc === null ? [] : [{ ...song, isrc }])),
    count: rows[0]?.count ?? 0,
  }
}
