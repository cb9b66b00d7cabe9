import type { Profile, ProfileToken } from '../../domain/artists/profiles.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Social } from '../../domain/artists/socials.ts'
import type { Db, Tx } from '../postgres/client.ts'

const columns = (db: Db) => db`
  socials.id, socials.profile_url as "profileUrl", socials.type, socials.username, socials.avatar, socials.bio,
  socials.region, socials.follower_count as "followerCount", socials.following_count as "followingCount",
  socials.updated_at as "updatedAt"`

/** The linked profiles of the artists, by platform and address. */
export const listSocialsOf = (db: Db, artistIds: string[]) => db<(Social & { artistId: string })[]>`
  select link.account_id as "artistId", ${columns(db)}
  from account_socials link join socials on socials.id = link.social_id
  where link.account_id = any(${artistIds}::uuid[]) order by socials.type, socials.profile_url`

export const listSocials = (db: Db, artistId: string, { limit, offset }: Page): Promise<Social[]> => db<Social[]>`
  select ${columns(db)}
  from account_socials link join socials on socials.id = link.social_id
  where link.account_id = ${artistId} order by socials.type, socials.profile_url limit ${limit} offset ${offset}`

export const countSocials = async (db: Db, artistId: string): Promise<number> => {
  const [row] = await db<[{ count: number }]>`
    select count(*) from account_socials where account_id = ${artistId}`
  return row.count
}

/**
 * Id of the profile's row, made when there is none. The row is held until the transaction ends: of two that link one
 * profile at once, the second sees what the first did.
 */
export const takeSocial = async (tx: Tx, { url, token, username }: Profile): Promise<string> => {
  await tx`
    insert into socials (profile_url, type, username) values (${url}, ${token}, ${username})
    on conflict (profile_url) do nothing`
  const [row] = await tx<[{ id: string }]>`select id from socials where profile_url = ${url} for no key update`
  return row.id
}

/** The artist that was linked to the profile first. It is not deleted before the transaction ends. */
export const findLinkedArtist = async (tx: Tx, socialId: string): Promise<string | undefined> => {
  const [row] = await tx<{ id: string }[]>`
    select artist.id from account_socials link join accounts artist on artist.id = link.account_id
    where link.social_id = ${socialId} and artist.kind = 'artist'
    order by link.created_at, link.id limit 1 for key share of artist`
  return row?.id
}

/** True when an artist is linked to the profile of this address. */
export const isLinkedProfile = async (db: Db, profileUrl: string): Promise<boolean> => {
  const [row] = await db`
    select 1 from socials join account_socials link on link.social_id = socials.id
    where socials.profile_url = ${profileUrl} limit 1`
  return row !== undefined
}

/** True when another artist than this one holds the profile. */
export const isHeldByAnother = async (tx: Tx, socialId: string, artistId: string): Promise<boolean> => {
  const [row] = await tx`
    select 1 from account_socials where social_id = ${socialId} and account_id <> ${artistId} limit 1`
  return row !== undefined
}

export const hasStreamingProfile = async (db: Db, artistId: string): Promise<boolean> => {
  const [row] = await db`
    select 1 from account_socials link join socials on socials.id = link.social_id
    where link.account_id = ${artistId} and socials.type = 'STREAMING' limit 1`
  return row !== undefined
}

export type ProfileLink = { socialId: string; token: ProfileToken; url: string; addedBy: string | null }

const linksOf = (db: Db, artistId: string) => db`
  select link.social_id as "socialId", socials.type as token, socials.profile_url as url, link.added_by as "addedBy"
  from account_socials link join socials on socials.id = link.social_id
  where link.account_id = ${artistId}`

export const listProfileLinks = (db: Db, artistId: string): Promise<ProfileLink[]> =>
  db<ProfileLink[]>`${linksOf(db, artistId)}`

export const findProfileLink = async (db: Db, artistId: string, socialId: string): Promise<ProfileLink | undefined> => {
  const [link] = await db<ProfileLink[]>`${linksOf(db, artistId)} and link.social_id = ${socialId}`
  return link
}

export const linkProfile = async (
  tx: Tx,
  { artistId, socialId, addedBy }: { artistId: string; socialId: string; addedBy: string },
): Promise<void> => {
  await tx`
    insert into account_socials (account_id, social_id, added_by) values (${artistId}, ${socialId}, ${addedBy})
    on conflict (account_id, social_id) do nothing`
}

/** Removes the link and leaves the profile. False when there was none. */
export const unlinkProfile = async (db: Db, artistId: string, socialId: string): Promise<boolean> => {
  const deleted = await db`delete from account_socials where account_id = ${artistId} and social_id = ${socialId}`
  return deleted.count === 1
}
