import { mergeSongTexts, type CatalogSong, type SongTexts } from '../../domain/catalogs/songs.ts'
import type { AddedSong } from '../../domain/catalogs/song-changes.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { readPage, type LimitedPage } from '../postgres/pages.ts'

type Artist = { id: string; name: string | null; changedAt: string | null }
type Row = { catalogId: string; isrc: string; updatedAt: Date; platform: SongTexts; own: SongTexts; artists: Artist[] }

export type SongFilter = { catalogIds: readonly string[]; artistName?: string | undefined }

/** Returns the songs that match a filter, by descending ISRC. */
export async function listSongs(
  db: Db,
  filter: SongFilter,
  { limit, offset }: Page,
): Promise<LimitedPage<CatalogSong>> {
  const page = db`
    select ${columns(db)}
    from (
      select song.* ${fromMatching(db, filter)} order by song.isrc desc, song.catalog_id limit ${limit} offset ${offset}
    ) as song
    join songs on songs.isrc = song.isrc order by song.isrc desc, song.catalog_id`
  const { rows, ...cut } = await readPage<Row>(db, page, offset)
  return { rows: rows.map(toSong), ...cut }
}

/** Counts the songs that match a filter. `all` ignores the artist name. */
export async function countSongs(db: Db, filter: SongFilter): Promise<{ matching: number; all: number }> {
  const [row] = await db<[{ matching: number; all: number }]>`
    select (select count(*)::int ${fromMatching(db, filter)}) as matching,
      (select count(*)::int from catalog_songs where catalog_id = any(${[...filter.catalogIds]}::uuid[])) as "all"`
  return row
}

type SongLink = { catalog_id: string; isrc: string }

/** Returns at most one page of the songs with these catalog ids and ISRCs, in this order. */
export async function listSongsById(db: Db, songs: readonly SongLink[]): Promise<CatalogSong[]> {
  const page = db`
    select ${columns(db)} from ${unnestLinks(db, songs)} join catalog_songs song using (catalog_id, isrc)
    join songs on songs.isrc = song.isrc order by given.place`
  return (await readPage<Row>(db, page, 0)).rows.map(toSong)
}

/**
 * Links existing songs to catalogs and stores the texts of the request; omitted texts keep their stored values. Returns
 * the number of new links.
 */
export async function insertCatalogSongs(tx: Tx, songs: readonly AddedSong[]): Promise<number> {
  const rows = await tx<{ isNew: boolean }[]>`
    insert into catalog_songs as link (catalog_id, isrc, name, album, lyrics)
    select * from unnest(
      ${songs.map((song) => song.catalog_id)}::uuid[], ${songs.map(({ isrc }) => isrc)}::text[],
      ${songs.map(({ name }) => name ?? null)}::text[], ${songs.map(({ album }) => album ?? null)}::text[],
      ${songs.map(({ lyrics }) => lyrics ?? null)}::text[]
    ) as given (catalog_id, isrc, name, album, lyrics) order by 1, 2
    on conflict (catalog_id, isrc) do update set name = coalesce(excluded.name, link.name),
      album = coalesce(excluded.album, link.album), lyrics = coalesce(excluded.lyrics, link.lyrics)
    returning xmax = 0 as "isNew"`
  return rows.filter(({ isNew }) => isNew).length
}

/** Removes songs from catalogs, together with their catalog-specific artist links. Returns the number of removed songs. */
export async function deleteCatalogSongs(tx: Tx, songs: readonly SongLink[]): Promise<number> {
  await tx`delete from song_artists link using ${unnestLinks(tx, songs)}
    where link.catalog_id = given.catalog_id and link.isrc = given.isrc`
  const { count } = await tx`
    delete from catalog_songs link using ${unnestLinks(tx, songs)}
    where link.catalog_id = given.catalog_id and link.isrc = given.isrc`
  return count
}

function columns(db: Db) {
  return db`
  song.catalog_id as "catalogId", song.isrc, greatest(song.updated_at, songs.updated_at) as "updatedAt",
  json_build_object('name', songs.name, 'album', songs.album, 'lyrics', songs.lyrics) as platform,
  json_build_object('name', song.name, 'album', song.album, 'lyrics', song.lyrics) as own,
  coalesce((
    select json_agg(json_build_object('id', artist.id, 'name', artist.name,
      'changedAt', case when artist.updated_at > artist.created_at then artist.updated_at end) order by artist.id)
    from (${selectArtists(db)}) as artist
  ), '[]') as artists`
}

/** SQL for the artists of `song`: artists linked by the platform, and artists linked only in its catalog. */
function selectArtists(db: Db) {
  return db`
  select artist.id, artist.name, artist.created_at, artist.updated_at from accounts artist
  where artist.id in (
    select artist_id from song_artists link
    where link.isrc = song.isrc and (link.catalog_id is null or link.catalog_id = song.catalog_id)
  )`
}

function fromMatching(db: Db, { catalogIds, artistName }: SongFilter) {
  return db`
  from catalog_songs song where song.catalog_id = any(${[...catalogIds]}::uuid[])
    ${artistName === undefined ? db`` : db`and exists (select 1 from (${selectArtists(db)}) as artist where lower(artist.name) = lower(${artistName}))`}`
}

function toSong({ platform, own, artists, ...row }: Row): CatalogSong {
  return {
    ...row,
    ...mergeSongTexts(platform, own),
    artists: artists.map(({ changedAt, ...artist }) => ({
      ...artist,
      changedAt: changedAt === null ? null : new Date(changedAt),
    })),
  }
}

function unnestLinks(db: Db, songs: readonly SongLink[]) {
  return db`
  unnest(${songs.map((song) => song.catalog_id)}::uuid[], ${songs.map(({ isrc }) => isrc)}::text[])
    with ordinality as given (catalog_id, isrc, place)`
}
