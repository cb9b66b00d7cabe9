import type { AddedSong } from '../../domain/catalogs/song-changes.ts'
import { insertArtist } from '../artists/links.ts'
import type { Tx } from '../postgres/client.ts'

/**
 * Links songs without a platform artist to artists of the given names (case-insensitive), within their catalog only. Uses
 * artists that an owner of the catalog created. Missing artists are created for the first owner. Concurrent calls for a
 * catalog wait, so that each name creates only one artist.
 */
export async function linkArtistsByName(tx: Tx, songs: readonly AddedSong[]): Promise<void> {
  const unlinkedSongs = await listUnlinkedSongs(
    tx,
    songs.filter(({ artists = [] }) => artists.length > 0),
  )
  for (const catalogId of [...new Set(unlinkedSongs.map((song) => song.catalog_id))].sort())
    await linkInCatalog(
      tx,
      catalogId,
      unlinkedSongs.filter((song) => song.catalog_id === catalogId),
    )
}

async function listUnlinkedSongs(tx: Tx, songs: readonly AddedSong[]): Promise<AddedSong[]> {
  const rows = await tx<{ isrc: string }[]>`
    select distinct isrc from song_artists
    where isrc = any(${songs.map(({ isrc }) => isrc)}::text[]) and catalog_id is null`
  const linkedIsrcs = new Set(rows.map(({ isrc }) => isrc))
  return songs.filter(({ isrc }) => !linkedIsrcs.has(isrc))
}

async function linkInCatalog(tx: Tx, catalogId: string, songs: readonly AddedSong[]): Promise<void> {
  await tx`select 1 from catalogs where id = ${catalogId} for no key update`
  const artistIds = await ensureArtists(
    tx,
    catalogId,
    songs.flatMap(({ artists = [] }) => artists),
  )
  const links = songs.flatMap(({ isrc, artists = [] }) =>
    artists.map((name) => ({ isrc, artistId: artistIds.get(name.toLowerCase()) ?? null })),
  )
  await tx`
    insert into song_artists (isrc, artist_id, catalog_id)
    select isrc, artist_id, ${catalogId}::uuid from unnest(
      ${links.map(({ isrc }) => isrc)}::text[], ${links.map(({ artistId }) => artistId)}::uuid[]
    ) as link (isrc, artist_id)
    on conflict do nothing`
}

/** Returns the artists' ids by lower-case name. */
async function ensureArtists(tx: Tx, catalogId: string, names: readonly string[]): Promise<Map<string, string>> {
  const owners = await tx<{ id: string }[]>`
    select account_id as id from account_catalogs where catalog_id = ${catalogId} order by created_at, account_id`
  const ids = await findCreatedArtists(
    tx,
    owners.map(({ id }) => id),
    names,
  )
  const createdBy = owners[0]?.id ?? null
  for (const name of names)
    if (!ids.has(name.toLowerCase()))
      ids.set(name.toLowerCase(), await insertArtist(tx, { name, image: null, createdBy }))
  return ids
}

/**
 * Returns the ids of the artists that these accounts created, by lower-case name. The oldest artist of a name has
 * precedence.
 */
async function findCreatedArtists(
  tx: Tx,
  ownerIds: readonly string[],
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx<{ id: string; name: string }[]>`
    select id, name from accounts
    where created_by = any(${[...ownerIds]}::uuid[]) and kind = 'artist'
      and lower(name) in (select lower(wanted) from unnest(${[...names]}::text[]) as wanted)
    order by created_at desc, id for key share`
  return new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
}
