import { streamingPlatform } from '../../domain/measurements/scope.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Identifiers of a recording: its ISRC, and its track and album on the streaming platform. */
export type SongIdentifiers = { isrc: string; trackId: string; albumId: string }

/** Adds identifiers of stored songs. Existing identifiers do not change. */
export async function insertIdentifiers(tx: Tx, identifiers: readonly SongIdentifiers[]): Promise<void> {
  await tx`
    insert into song_identifiers (isrc, platform, identifier_type, value)
    select isrc, ${streamingPlatform}, identifier_type, value
    from unnest(
      ${identifiers.map(({ isrc }) => isrc)}::text[],
      ${identifiers.map(({ trackId }) => trackId)}::text[],
      ${identifiers.map(({ albumId }) => albumId)}::text[]
    ) as given (isrc, track_id, album_id)
    cross join lateral (values ('track_id', given.track_id), ('album_id', given.album_id)) as id (identifier_type, value)
    order by 1, 3, 4
    on conflict do nothing`
}

/** Returns ISRCs by track id. Omits unknown tracks. */
export async function findSongsOfTracks(db: Db, trackIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ trackId: string; isrc: string }[]>`
    select value as "trackId", min(isrc) as isrc from song_identifiers
    where platform = ${streamingPlatform} and identifier_type = 'track_id' and value = any(${[...trackIds]}::text[])
    group by value`
  return new Map(rows.map(({ trackId, isrc }) => [trackId, isrc]))
}

/** Returns the distinct ids of the songs' albums. */
export async function listAlbumsOfSongs(db: Db, isrcs: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct value as id from song_identifiers
    where platform = ${streamingPlatform} and identifier_type = 'album_id' and isrc = any(${[...isrcs]}::text[])
    order by value`
  return rows.map(({ id }) => id)
}

/** Returns the distinct album ids of the catalog's songs. */
export async function listAlbumsOfCatalog(db: Db, catalogId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct value as id from song_identifiers join catalog_songs using (isrc)
    where platform = ${streamingPlatform} and identifier_type = 'album_id' and catalog_songs.catalog_id = ${catalogId}
    order by value`
  return rows.map(({ id }) => id)
}
