import { z } from 'zod'
import { profileTokens, type ProfileToken } from './profile-paths.ts'
import { keepWebUrl } from '../fields/stored-url.ts'
import { toWire } from '../wire.ts'

/** A profile linked to an artist, with its latest scraped data. */
export type Social = {
  id: string
  profileUrl: string
  type: ProfileToken
  username: string | null
  avatar: string | null
  bio: string | null
  region: string | null
  followerCount: number | null
  followingCount: number | null
  updatedAt: Date
}

const sharedFields = {
  type: z.enum(profileTokens),
  username: z.string().nullable(),
  profile_url: z.string(),
  avatar: z.string().nullable(),
  bio: z.string().nullable(),
  follower_count: z.int().nullable(),
  following_count: z.int().nullable(),
  region: z.string().nullable(),
  updated_at: z.iso.datetime(),
}

/** A profile as part of an artist. */
export const accountSocialSchema = z
  .object({ id: z.guid(), link: z.string(), ...sharedFields })
  .meta({ id: 'AccountSocial' })

export function toAccountSocialResponse(social: Social): z.output<typeof accountSocialSchema> {
  return toWire(accountSocialSchema, { ...social, link: social.profileUrl, avatar: keepWebUrl(social.avatar) })
}

/** Followers of a profile on a day in UTC (`YYYY-MM-DD`). */
export type FollowerDay = { date: string; followerCount: number }

/** A profile in the list of an artist's socials. */
export const socialSchema = z
  .object({
    social_id: z.guid(),
    ...sharedFields,
    history: z
      .array(z.object({ date: z.iso.date(), follower_count: z.int() }))
      .optional()
      .meta({
        description: 'Only with `days`: followers by UTC day, oldest first. Days without a scrape are omitted.',
      }),
  })
  .meta({ id: 'Social' })

export function toSocialResponse(social: Social, history?: readonly FollowerDay[]): z.output<typeof socialSchema> {
  return toWire(socialSchema, {
    ...social,
    socialId: social.id,
    avatar: keepWebUrl(social.avatar),
    history: history?.map(({ date, followerCount }) => ({ date, follower_count: followerCount })),
  })
}
