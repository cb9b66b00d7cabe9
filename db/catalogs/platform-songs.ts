import { streamingProfile, type ProfileHosts } from '../../domain/artists/profiles.ts'
import type { FoundSong } from '../../domain/measurements/capture.ts'
import { ensureProfileArtists } from '../artists/profile-artists.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { insertIdentifiers } from './identifiers.ts'

/**
 * Stores what the platform reports about recordings: names, albums, artwork, artists and identifiers. Fills in only missing
 * values, so that a recording keeps its first album. Safe to repeat.
 */
export async function storePlatformSongs(tx: Tx, songs: readonly FoundSong[], hosts: ProfileHosts): Promise<void> {
  if (songs.length === 0) return
  await upsertSongs(tx, [...new Map(songs.map((song): [string, FoundSong] => [song.isrc, song]).reverse()).values()])
  await linkArtists(tx, songs, hosts)
  await insertIdentifiers(tx, songs)
}

/** Inserts song rows that contain only the ISRC. Existing rows do not change. */
export async function ensureSongs(tx: Tx, isrcs: readonly string[]): Promise<void> {
  await tx`
    insert into songs (isrc) select distinct isrc from unnest(${[...isrcs]}::text[]) as isrc order by isrc
    on conflict do nothing`
}

/** Returns the distinct ISRCs for which no platform data is stored. */
export async function listUnknownSongs(db: Db, isrcs: readonly string[]): Promise<string[]> {
  const rows = await db<{ isrc: string }[]>`
    select distinct isrc from unnest(${[...isrcs]}::text[]) as isrc
    where not exists (select 1 from songs where songs.isrc = isrc.isrc and songs.name is not null)`
  return rows.map(({ isrc }) => isrc)
}

async function upsertSongs(tx: Tx, songs: readonly FoundSong[]): Promise<void> {
  await tx`
    insert into songs (isrc, name, album, artwork_url)
    select * from unnest(
      ${songs.map(({ isrc }) => isrc)}::text[], ${songs.map(({ name }) => name)}::text[],
      ${songs.map(({ album }) => album)}::text[], ${songs.map(({ artworkUrl }) => artworkUrl)}::text[]
    ) as found (isrc, name, album, artwork_url) order by isrc
    on conflict (isrc) do update set name = coalesce(songs.name, excluded.name),
      album = coalesce(songs.album, excluded.album), artwork_url = coalesce(songs.artwork_url, excluded.artwork_url)
    where songs.name is null or songs.album is null
      or (songs.artwork_url is null and excluded.artwork_url is not null)`
}

async function linkArtists(tx: Tx, songs: readonly FoundSong[], hosts: ProfileHosts): Promise<void> {
  const links = songs.flatMap(({ isrc, artists }) =>
    artists.map(({ id, name }) => ({ isrc, name, profileUrl: streamingProfile(id, hosts).url })),
  )
  const artistIds = await ensureProfileArtists(tx, links)
  await tx`
    insert into song_artists (isrc, artist_id)
    select distinct isrc, artist_id from unnest(
      ${links.map(({ isrc }) => isrc)}::text[],
      ${links.map(({ profileUrl }) => artistIds.get(profileUrl) ?? null)}::uuid[]
    ) as link (isrc, artist_id) order by 1, 2
    on conflict do nothing`
}
