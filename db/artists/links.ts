import type { Db, Tx } from '../postgres/client.ts'

export type ArtistRecord = { id: string; createdBy: string | null }

/** Returns an artist. Undefined for an unknown id and for the id of a person or an organization. */
export async function findArtist(db: Db, id: string): Promise<ArtistRecord | undefined> {
  const [row] = await db<ArtistRecord[]>`
    select id, created_by from accounts where id = ${id} and kind = 'artist'`
  return row
}

/**
 * Locks the artist's row until the transaction ends. `keep`: prevents deletion; `change`: also prevents changes of its
 * profiles; `delete`: also prevents new links.
 */
export async function lockArtist(
  tx: Tx,
  id: string,
  purpose: 'keep' | 'change' | 'delete',
): Promise<ArtistRecord | undefined> {
  const lock = { keep: tx`for key share`, change: tx`for no key update`, delete: tx`for update` }[purpose]
  const [row] = await tx<ArtistRecord[]>`
    select id, created_by from accounts where id = ${id} and kind = 'artist' ${lock}`
  return row
}

export type NewArtist = { name: string; image: string | null; createdBy: string | null }

export async function insertArtist(tx: Tx, { name, image, createdBy }: NewArtist): Promise<string> {
  const [row] = await tx<[{ id: string }]>`
    insert into accounts (kind, name, created_by) values ('artist', ${name}, ${createdBy}) returning id`
  if (image !== null) await tx`insert into account_info (account_id, image) values (${row.id}, ${image})`
  return row.id
}

/** Adds the artist to the account's roster if it is missing. An absent `pinned` changes nothing. */
export async function upsertRosterRow(
  tx: Tx,
  { accountId, artistId, pinned = null }: { accountId: string; artistId: string; pinned?: boolean | null },
): Promise<void> {
  await tx`
    insert into account_artist_ids as roster (account_id, artist_id, pinned)
    values (${accountId}, ${artistId}, coalesce(${pinned}, false))
    on conflict (account_id, artist_id) do update set pinned = coalesce(${pinned}, roster.pinned)`
}

/** Returns false when the artist was not on the roster. */
export async function deleteRosterRow(tx: Tx, accountId: string, artistId: string): Promise<boolean> {
  const deleted = await tx`
    delete from account_artist_ids where account_id = ${accountId} and artist_id = ${artistId}`
  return deleted.count === 1
}

/** Returns the id of the attachment, including when the artist is already attached. */
export async function attachArtist(tx: Tx, organizationId: string, artistId: string): Promise<string> {
  const [row] = await tx<[{ id: string }]>`
    insert into artist_organization_ids (organization_id, artist_id) values (${organizationId}, ${artistId})
    on conflict (artist_id, organization_id) do update set organization_id = excluded.organization_id
    returning id`
  return row.id
}

export async function detachArtist(db: Db, organizationId: string, artistId: string): Promise<void> {
  await db`delete from artist_organization_ids where organization_id = ${organizationId} and artist_id = ${artistId}`
}

/** Deletes an artist that nothing references, with its profile links. Requires the lock `delete`. */
export async function deleteUnreferencedArtist(tx: Tx, artistId: string): Promise<void> {
  await tx`
    delete from accounts where id = ${artistId} and kind = 'artist'
      and not exists (select 1 from account_artist_ids where artist_id = ${artistId})
      and not exists (select 1 from artist_organization_ids where artist_id = ${artistId})
      and not exists (select 1 from sessions where artist_id = ${artistId})
      and not exists (select 1 from tasks where artist_account_id = ${artistId})
      and not exists (select 1 from song_artists where artist_id = ${artistId})`
}
