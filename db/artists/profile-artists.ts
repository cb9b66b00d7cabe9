import type { Tx } from '../postgres/client.ts'

/** An artist of a platform. The URL of its streaming profile is normalized. */
export type ProfileArtist = { profileUrl: string; name: string }

/**
 * Returns the artist id of each streaming profile: the artist that was linked first, or else a new artist without a
 * creator. Until the transaction ends, these artists cannot be deleted, and concurrent calls for a new profile wait.
 */
export async function ensureProfileArtists(tx: Tx, artists: readonly ProfileArtist[]): Promise<Map<string, string>> {
  const names = new Map(artists.map(({ profileUrl, name }) => [profileUrl, name]))
  const artistIds = await findByProfiles(tx, [...names.keys()])
  const missing = [...names.keys()].filter((url) => !artistIds.has(url)).sort()
  if (missing.length === 0) return artistIds
  await lockProfiles(tx, missing)
  for (const [url, id] of await findByProfiles(tx, missing)) artistIds.set(url, id)
  const unlinked = missing.filter((url) => !artistIds.has(url))
  const newIds = await insertLinked(
    tx,
    unlinked.map((profileUrl) => ({ profileUrl, name: names.get(profileUrl) ?? '' })),
  )
  return new Map([...artistIds, ...newIds])
}

/** Updates the stored streaming profile and, if an artist is linked to it, the name and image of that artist. */
export async function refreshProfileArtist(
  tx: Tx,
  artist: ProfileArtist & { image: string | null; followers: number | null },
): Promise<void> {
  const { profileUrl, name, image, followers } = artist
  await tx`
    update socials set username = ${name}, avatar = ${image}, follower_count = ${followers}
    where profile_url = ${profileUrl}`
  const artistId = (await findByProfiles(tx, [profileUrl])).get(profileUrl)
  if (artistId === undefined) return
  await tx`update accounts set name = ${name} where id = ${artistId} and name is distinct from ${name}`
  await tx`
    insert into account_info (account_id, image) values (${artistId}, ${image})
    on conflict (account_id) do update set image = coalesce(excluded.image, account_info.image)`
}

async function findByProfiles(tx: Tx, urls: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<{ url: string; id: string }[]>`
    select socials.profile_url as url, artist.id
    from socials join account_socials link on link.social_id = socials.id
    join accounts artist on artist.id = link.account_id and artist.kind = 'artist'
    where socials.profile_url = any(${[...urls]}::text[])
    order by link.created_at desc, link.id desc for key share of artist`
  return new Map(rows.map(({ url, id }) => [url, id]))
}

async function lockProfiles(tx: Tx, urls: readonly string[]): Promise<void> {
  await tx`
    insert into socials (profile_url, type) select url, 'STREAMING' from unnest(${[...urls]}::text[]) as url
    on conflict (profile_url) do nothing`
  await tx`
    select 1 from socials where profile_url = any(${[...urls]}::text[]) order by profile_url for no key update`
}

async function insertLinked(tx: Tx, artists: readonly ProfileArtist[]): Promise<Map<string, string>> {
  const rows = await tx<{ url: string; id: string }[]>`
    with given as (
      select url, name, gen_random_uuid() as id from unnest(
        ${artists.map(({ profileUrl }) => profileUrl)}::text[], ${artists.map(({ name }) => name)}::text[]
      ) as given (url, name)
    ), made as (
      insert into accounts (id, kind, name) select id, 'artist', name from given returning id
    ), linked as (
      insert into account_socials (account_id, social_id)
      select made.id, socials.id from made join given using (id) join socials on socials.profile_url = given.url
      returning account_id
    )
    select given.url, given.id from given join linked on linked.account_id = given.id`
  return new Map(rows.map(({ url, id }) => [url, id]))
}
