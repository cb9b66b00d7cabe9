import { z } from 'zod'
import {
  isLinkedToOtherArtist,
  linkProfile,
  listProfileLinks,
  ensureSocial,
  unlinkProfile,
  type ProfileLink,
} from '../../db/artists/socials.ts'
import type { ArtistRecord } from '../../db/artists/links.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { profileTokens } from '../../domain/artists/profile-paths.ts'
import { isProfileToken, parseProfile, type Profile, type ProfileHosts } from '../../domain/artists/profiles.ts'
import { ApiError } from '../http/errors.ts'

const maxEntries = 20
const maxOtherProfiles = 20

/** Schema of a map from platform to profile URL. Empty and null entries are ignored. */
export function profileUrls(hosts: ProfileHosts) {
  return z
    .record(z.string(), z.string().nullable())
    .refine((entries) => Object.keys(entries).length <= maxEntries, {
      error: `must have at most ${maxEntries} entries`,
    })
    .transform((entries, ctx): Profile[] => {
      const profiles: Profile[] = []
      for (const [token, text] of Object.entries(entries)) {
        if (!isProfileToken(token)) {
          ctx.addIssue({ code: 'custom', path: [token], message: `must be one of ${profileTokens.join(', ')}` })
          return z.NEVER
        }
        if (text === null || text.trim() === '') continue
        const profile = parseProfile(text, hosts)
        if (profile?.token !== token) {
          ctx.addIssue({ code: 'custom', path: [token], message: `must be the URL of a ${token} profile` })
          return z.NEVER
        }
        profiles.push(profile)
      }
      return profiles
    })
    .meta({
      override: {
        type: 'object',
        description:
          `${profileTokens.join(', ')} mapped to the URL of the profile on that platform. Empty and null entries are ` +
          `ignored.`,
        propertyNames: { enum: [...profileTokens] },
        additionalProperties: { type: ['string', 'null'] },
        maxProperties: maxEntries,
      },
    })
}

type Change = { profile: Profile; replaced: ProfileLink[] }

type ProfileLinkRequest = {
  /** Locked against concurrent changes. */
  artist: ArtistRecord
  workspaceId: string
  profiles: readonly Profile[]
  /** Throws if the link may not be replaced. */
  requireReplaceable: (link: ProfileLink) => Promise<void>
}

/** Links profiles to an artist. Either all profiles are linked or none: the first error rolls the transaction back. */
export async function linkProfiles(
  tx: Tx,
  { artist: { id: artistId }, workspaceId, profiles, requireReplaceable }: ProfileLinkRequest,
): Promise<void> {
  const links = await listProfileLinks(tx, artistId)
  const changes = planChanges(links, profiles)
  for (const { replaced } of changes) for (const link of replaced) await requireReplaceable(link)
  checkOtherProfileLimit(links, changes)
  for (const { profile, replaced } of changes) {
    const socialId = await ensureSocial(tx, profile)
    if (profile.token === 'STREAMING' && (await isLinkedToOtherArtist(tx, socialId, artistId)))
      throw new ApiError('conflict', 'Another artist has this streaming profile')
    for (const link of replaced) await unlinkProfile(tx, artistId, link.socialId)
    await linkProfile(tx, { artistId, socialId, addedBy: workspaceId })
  }
}

/** Returns the required changes. A linked profile needs none, and an artist may have any number of `OTHER` profiles. */
function planChanges(links: readonly ProfileLink[], profiles: readonly Profile[]): Change[] {
  return (
    profiles
      .filter(({ url }) => !links.some((link) => link.url === url))
      .map((profile) => ({
        profile,
        replaced: isOther(profile) ? [] : links.filter(({ token }) => token === profile.token),
      }))
      // All transactions lock the rows of several profiles in the same order.
      .sort((a, b) => (a.profile.url < b.profile.url ? -1 : 1))
  )
}

function isOther({ token }: { token: string }): boolean {
  return token === 'OTHER'
}

function checkOtherProfileLimit(links: readonly ProfileLink[], changes: readonly Change[]): void {
  const total = links.filter(isOther).length + changes.filter(({ profile }) => isOther(profile)).length
  if (total > maxOtherProfiles && changes.some(({ profile }) => isOther(profile)))
    throw new ApiError('conflict', `An artist has at most ${maxOtherProfiles} profiles of the platform OTHER`)
}
