import { z } from 'zod'
import { profileTokens } from './profiles.ts'
import type { ProfileToken } from './profiles.ts'
import { shownUrl } from '../fields/stored-url.ts'

/** A profile that is linked to an artist, as it was last seen. */
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

const shown = {
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

const show = (social: Social) => ({
  type: social.type,
  username: social.username,
  profile_url: social.profileUrl,
  avatar: shownUrl(social.avatar),
  bio: social.bio,
  follower_count: social.followerCount,
  following_count: social.followingCount,
  region: social.region,
  updated_at: social.updatedAt.toISOString(),
})

/** As a part of an artist record. */
export const accountSocialSchema = z.object({ id: z.guid(), link: z.string(), ...shown }).meta({ id: 'AccountSocial' })

export const accountSocialOnWire = (social: Social): z.output<typeof accountSocialSchema> => ({
  id: social.id,
  link: social.profileUrl,
  ...show(social),
})

/** As an entry of the list of an artist's socials. */
export const socialSchema = z.object({ social_id: z.guid(), ...shown }).meta({ id: 'Social' })

export const socialOnWire = (social: Social): z.output<typeof socialSchema> => ({
  social_id: social.id,
  ...show(social),
})
