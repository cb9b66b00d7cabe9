import type { ProfileToken } from '../artists/profile-paths.ts'
import type { Profile } from '../artists/profiles.ts'

export const scrapedTokens = ['TIKTOK', 'PHOTO', 'X', 'THREADS', 'VIDEO', 'FACEBOOK', 'LINKEDIN'] as const
export type ScrapedToken = (typeof scrapedTokens)[number]

type Platform = {
  /** Maximum posts to store. `requested`: the number in the request, or 1. Null: all that a run returns. */
  depth: 'requested' | number | null
  /** Kinds of posts to store; undefined stores all. */
  kinds?: readonly string[]
}

const platforms: Record<ScrapedToken, Platform> = {
  TIKTOK: { depth: 'requested' },
  PHOTO: { depth: 12 },
  X: { depth: 'requested', kinds: ['original', 'quote'] },
  THREADS: { depth: null },
  VIDEO: { depth: 'requested', kinds: ['video', 'short', 'stream'] },
  FACEBOOK: { depth: null },
  LINKEDIN: { depth: 'requested' },
}

const targetErrors = { platform: 'Platform is not supported', handle: 'Profile address has no handle' } as const

export type Target = { platform: ScrapedToken; handle: string } | { error: string }

/** Returns the provider's target for a profile, or why it cannot be scraped. */
export function resolveTarget({ token, username }: Pick<Profile, 'token' | 'username'>): Target {
  if (!isScraped(token)) return { error: targetErrors.platform }
  if (username === null || !/^[A-Za-z0-9._-]{1,100}$/.test(username)) return { error: targetErrors.handle }
  return { platform: token, handle: username }
}

/** Returns the maximum number of posts to request and store; null for all that the provider's run returns. */
export function resolveDepth(token: ScrapedToken, posts: number | null): number | null {
  const { depth } = platforms[token]
  return depth === 'requested' ? (posts ?? 1) : depth
}

type DatedPost = { url: string; publishedAt: Date; kind: string | null }

/** Returns whether posts of this kind are stored. Posts without a reported kind are stored. */
export function isStoredKind(token: ScrapedToken, kind: string | null): boolean {
  const { kinds } = platforms[token]
  return kinds === undefined || kind === null || kinds.includes(kind)
}

/** Returns the posts of a run to store: at most `depth` distinct posts of the stored kinds, newest first. */
export function selectPosts<Post extends DatedPost>(
  token: ScrapedToken,
  posts: readonly Post[],
  depth: number | null,
): Post[] {
  const storedPosts = posts.filter(({ kind }) => isStoredKind(token, kind))
  const distinctPosts = [...new Map(storedPosts.map((post): [string, Post] => [post.url, post]).reverse()).values()]
  const newest = distinctPosts.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
  return depth === null ? newest : newest.slice(0, depth)
}

function isScraped(token: ProfileToken): token is ScrapedToken {
  return (scrapedTokens as readonly string[]).includes(token)
}
