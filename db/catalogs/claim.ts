import { catalogName, type Catalog } from '../../domain/catalogs/catalogs.ts'
import { findDominantArtistId, type ArtistLinks } from '../../domain/catalogs/dominant-artist.ts'
import type { JobState } from '../../domain/measurements/states.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { isMeasuredFor } from '../measurements/measurements.ts'
import { findCatalog, insertCatalog } from './catalogs.ts'

export type Snapshot = {
  id: string
  accountId: string
  state: JobState
  catalogId: string | null
  /** Albums without a result. */
  unmeasured: number
}

export async function findSnapshot(db: Db, id: string): Promise<Snapshot | undefined> {
  const [snapshot] = await db<Snapshot[]>`${selectSnapshot(db, id)}`
  return snapshot
}

/** Returns the artist that the platform links to most of the songs of the snapshot. */
export async function findDominantArtist(
  db: Db,
  snapshotId: string,
): Promise<{ id: string; name: string | null } | undefined> {
  const links = await db<(ArtistLinks & { name: string | null })[]>`
    select artist.id as "artistId", artist.name, count(*)::int as "songCount"
    from (select distinct isrc from song_measurements where ${isMeasuredFor(db, snapshotId)}) as song
    join song_artists link on link.isrc = song.isrc and link.catalog_id is null
    join accounts artist on artist.id = link.artist_id
    group by artist.id`
  const id = findDominantArtistId(links)
  return links.flatMap((link) => (link.artistId === id ? [{ id: link.artistId, name: link.name }] : [])).at(0)
}

type Claim = { snapshotId: string; ownerId: string; name: string | null }

/**
 * Returns the catalog of a snapshot: the existing catalog, or a new catalog with the measured songs. Concurrent claims
 * wait and return the same catalog. A new catalog is named `name`, or after its dominant artist if `name` is null.
 */
export async function claimSnapshot(
  tx: Tx,
  { snapshotId, ownerId, name }: Claim,
): Promise<{ catalog: Catalog; songsAdded: number }> {
  const [snapshot] = await tx<Snapshot[]>`${selectSnapshot(tx, snapshotId)} for update`
  if (snapshot?.state !== 'done') throw new Error(`snapshot ${snapshotId} is not done`)
  const existing = snapshot.catalogId === null ? undefined : await findCatalog(tx, snapshot.catalogId)
  if (existing !== undefined) return { catalog: existing, songsAdded: 0 }
  const artist = name === null ? await findDominantArtist(tx, snapshotId) : undefined
  const catalog = await insertCatalog(tx, { name: catalogName(name, artist?.name), ownerId })
  const { count } = await tx`
    insert into catalog_songs (catalog_id, isrc)
    select distinct ${catalog.id}::uuid, isrc from song_measurements where ${isMeasuredFor(tx, snapshotId)}
    order by isrc`
  await tx`update playcount_snapshots set catalog_id = ${catalog.id} where id = ${snapshotId}`
  return { catalog, songsAdded: count }
}

function selectSnapshot(db: Db, id: string) {
  return db`
  select id, account_id as "accountId", state, catalog_id as "catalogId", cardinality(unmeasured_album_ids) as unmeasured
  from playcount_snapshots where id = ${id}`
}
