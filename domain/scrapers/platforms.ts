import type { Profile, ProfileToken } from '../artists/profiles.ts'

export const scrapedTokens = ['TIKTOK', 'PHOTO', 'X', 'THREADS', 'VIDEO', 'FACEBOOK', 'LINKEDIN'] as const
export type ScrapedToken = (typeof scrapedTokens)[number]

type Platform = {
  /** Maximum posts to store: the number in the request, else one; a fixed number; or all that a run returns. */
  depth: 'requested' | number | null
  /** Stores posts of these kinds only. */
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

const unsupported = { platform: 'Platform is not supported', handle: 'Profile address has no handle' } as const

export type Target = { platform: ScrapedToken; handle: string } | { error: string }

/** Returns the provider's target for a profile, or why it cannot be scraped. */
export function resolveTarget({ token, username }: Pick<Profile, 'token' | 'username'>): Target {
  if (!isScraped(token)) return { error: unsupported.platform }
  if (username === null || !/^[A-Za-z0-9._-]{1,100}$/.test(username)) return { error: unsupported.handle }
  return { platform: token, handle: username }
}

/** Maximum posts to store, and to request from the provider; null: all that its run returns. */
export function resolveDepth(token: ScrapedToken, posts: number | null): number | null {
  const { depth } = platforms[token]
  return depth === 'requested' ? (posts ?? 1) : depth
}

type DatedPost = { url: string; publishedAt: Date; kind: string | null }

/** Returns whether posts of this kind are stored. Posts without a reported kind are. */
export function isStoredKind(token: ScrapedToken, kind: string | null): boolean {
  const { kinds } = platforms[token]
  return kinds === undefined || kind === null || kinds.includes(kind)
}

/** Returns the posts of a run to store: each once, newest first, of the stored kinds, and at most `depth` of them. */
export function selectPosts<Post extends DatedPost>(
  token: ScrapedToken,
  posts: readonly Post[],
  depth: number | null,
): Post[] {
  const counting = posts.filter(({ kind }) => isStoredKind(token, kind))
  const each = [...new Map(counting.map((post): [string, Post] => [post.url, post]).reverse()).values()]
  const newest = each.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
  return depth === null ? newest : newest.slice(0, depth)
}

function isScraped(token: ProfileToken): token is ScrapedToken {
  return (scrapedTokens as readonly string[]).includes(token)
}
