import type { ProfileToken } from '../../domain/artists/profile-paths.ts'
import type { Profile } from '../../domain/artists/profiles.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { FollowerDay, Social } from '../../domain/artists/socials.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Returns the linked profiles of the artists, by platform and URL. */
export function listArtistSocials(db: Db, artistIds: string[]) {
  return db<(Social & { artistId: string })[]>`
  select link.account_id as artist_id, ${columns(db)}
  from account_socials link join socials on socials.id = link.social_id
  where link.account_id = any(${artistIds}::uuid[]) order by socials.type, socials.profile_url`
}

export function listSocials(db: Db, artistId: string, { limit, offset }: Page): Promise<Social[]> {
  return db<Social[]>`
  select ${columns(db)}
  from account_socials link join socials on socials.id = link.social_id
  where link.account_id = ${artistId} order by socials.type, socials.profile_url limit ${limit} offset ${offset}`
}

export async function countSocials(db: Db, artistId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*) from account_socials where account_id = ${artistId}`
  return row.count
}

/**
 * Returns the id of the profile's row, created if it is missing. Locks the row until the transaction ends, so that
 * concurrent links of the profile are serialized.
 */
export async function ensureSocial(tx: Tx, { url, token, username }: Profile): Promise<string> {
  await tx`
    insert into socials (profile_url, type, username) values (${url}, ${token}, ${username})
    on conflict (profile_url) do nothing`
  const [row] = await tx<[{ id: string }]>`select id from socials where profile_url = ${url} for no key update`
  return row.id
}

/** Returns the artist that was linked to the profile first. It cannot be deleted before the transaction ends. */
export async function findLinkedArtist(tx: Tx, socialId: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select artist.id from account_socials link join accounts artist on artist.id = link.account_id
    where link.social_id = ${socialId} and artist.kind = 'artist'
    order by link.created_at, link.id limit 1 for key share of artist`
  return row?.id
}

/** Returns whether an artist is linked to the profile at this URL. */
export async function isLinkedProfile(db: Db, profileUrl: string): Promise<boolean> {
  const [row] = await db`
    select 1 from socials join account_socials link on link.social_id = socials.id
    where socials.profile_url = ${profileUrl} limit 1`
  return row !== undefined
}

/** Returns whether a different artist is linked to the profile. */
export async function isLinkedToOtherArtist(tx: Tx, socialId: string, artistId: string): Promise<boolean> {
  const [row] = await tx`
    select 1 from account_socials where social_id = ${socialId} and account_id <> ${artistId} limit 1`
  return row !== undefined
}

export async function hasStreamingProfile(db: Db, artistId: string): Promise<boolean> {
  const [row] = await db`
    select 1 from account_socials link join socials on socials.id = link.social_id
    where link.account_id = ${artistId} and socials.type = 'STREAMING' limit 1`
  return row !== undefined
}

export type ProfileLink = { socialId: string; token: ProfileToken; url: string; addedBy: string | null }

export function listProfileLinks(db: Db, artistId: string): Promise<ProfileLink[]> {
  return db<ProfileLink[]>`${selectLinks(db, artistId)}`
}

export async function findProfileLink(db: Db, artistId: string, socialId: string): Promise<ProfileLink | undefined> {
  const [link] = await db<ProfileLink[]>`${selectLinks(db, artistId)} and link.social_id = ${socialId}`
  return link
}

export async function linkProfile(
  tx: Tx,
  { artistId, socialId, addedBy }: { artistId: string; socialId: string; addedBy: string },
): Promise<void> {
  await tx`
    insert into account_socials (account_id, social_id, added_by) values (${artistId}, ${socialId}, ${addedBy})
    on conflict (account_id, social_id) do nothing`
}

/** Removes the link and keeps the profile. Returns false when there was no link. */
export async function unlinkProfile(db: Db, artistId: string, socialId: string): Promise<boolean> {
  const deleted = await db`delete from account_socials where account_id = ${artistId} and social_id = ${socialId}`
  return deleted.count === 1
}

/** Returns the URLs of the artist's profiles on a platform, oldest link first. */
export async function listProfileUrls(db: Db, artistId: string, token: ProfileToken): Promise<string[]> {
  const rows = await db<{ url: string }[]>`
    select socials.profile_url as url from account_socials link join socials on socials.id = link.social_id
    where link.account_id = ${artistId} and socials.type = ${token} order by link.created_at, link.id`
  return rows.map(({ url }) => url)
}

function columns(db: Db) {
  return db`
  socials.id, socials.profile_url, socials.type, socials.username, socials.avatar, socials.bio, socials.region,
  socials.follower_count, socials.following_count, socials.updated_at`
}

function selectLinks(db: Db, artistId: string) {
  return db`
  select link.social_id, socials.type as token, socials.profile_url as url, link.added_by
  from account_socials link join socials on socials.id = link.social_id
  where link.account_id = ${artistId}`
}

export async function findSocial(db: Db, id: string): Promise<Social | undefined> {
  const [social] = await db<Social[]>`select ${columns(db)} from socials where id = ${id}`
  return social
}

/** Returns the ids of the artists that are linked to a profile, oldest link first. */
export async function listArtistsOfSocial(db: Db, socialId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select link.account_id as id from account_socials link
    where link.social_id = ${socialId} order by link.created_at, link.id`
  return rows.map(({ id }) => id)
}

/** Returns the daily follower counts of each profile in the last `days` days (UTC), oldest first. Omits days without data. */
export async function listFollowerDays(
  db: Db,
  socialIds: readonly string[],
  days: number,
): Promise<Map<string, FollowerDay[]>> {
  const rows = await db<(FollowerDay & { socialId: string })[]>`
    select social_id, captured_on::text as date, follower_count from social_snapshots
    where social_id = any(${[...socialIds]}::uuid[])
      and captured_on > (now() at time zone 'UTC')::date - ${days}::int and follower_count is not null
    order by social_id, captured_on`
  const bySocial = new Map<string, FollowerDay[]>()
  for (const { socialId, date, followerCount } of rows)
    bySocial.set(socialId, [...(bySocial.get(socialId) ?? []), { date, followerCount }])
  return bySocial
}
