import type { Profile, ProfileToken } from '../artists/profiles.ts'

export const scrapedTokens = ['TIKTOK', 'PHOTO', 'X', 'THREADS', 'VIDEO', 'FACEBOOK', 'LINKEDIN'] as const
export type ScrapedToken = (typeof scrapedTokens)[number]

type Platform = {
  /** Posts that are asked for: as many as the request says, else one; always as many; or what a run returns. */
  depth: 'asked' | number | null
  /** Keeps posts of these kinds only. */
  kinds?: readonly string[]
  /** Keeps the newest of them, as many as are asked for. */
  isCut?: true
}

const platforms: Record<ScrapedToken, Platform> = {
  TIKTOK: { depth: 'asked' },
  PHOTO: { depth: 12, isCut: true },
  X: { depth: 'asked', kinds: ['original', 'quote'], isCut: true },
  THREADS: { depth: null },
  VIDEO: { depth: 'asked', kinds: ['video', 'short', 'stream'], isCut: true },
  FACEBOOK: { depth: null },
  LINKEDIN: { depth: 'asked' },
}

const unsupported = { platform: 'Platform is not supported', handle: 'Profile address has no handle' } as const

export type Target = { platform: ScrapedToken; handle: string } | { error: string }

/** What is asked of the provider for a profile; why nothing is. The stored username comes before that of the address. */
export function targetOf({ token, username }: Pick<Profile, 'token' | 'username'>): Target {
  if (!isScraped(token)) return { error: unsupported.platform }
  if (username === null || !/^[A-Za-z0-9._-]{1,100}$/.test(username)) return { error: unsupported.handle }
  return { platform: token, handle: username }
}

/** Posts that the provider is asked for; null: what its run returns. */
export function depthOf(token: ScrapedToken, posts: number | null): number | null {
  const { depth } = platforms[token]
  return depth === 'asked' ? (posts ?? 1) : depth
}

type Kept = { url: string; publishedAt: Date; kind: string | null }

/** Of what a run found each post once, newest first: those that count on the platform, and no more than asked for. */
export function keptPosts<Post extends Kept>(
  token: ScrapedToken,
  posts: readonly Post[],
  depth: number | null,
): Post[] {
  const { kinds, isCut } = platforms[token]
  const counting = posts.filter(({ kind }) => kinds === undefined || kind === null || kinds.includes(kind))
  const each = [...new Map(counting.map((post): [string, Post] => [post.url, post]).reverse()).values()]
  const newest = each.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
  return isCut === true && depth !== null ? newest.slice(0, depth) : newest
}

function isScraped(token: ProfileToken): token is ScrapedToken {
  return (scrapedTokens as readonly string[]).includes(token)
}
