import { isStoredKind, type ScrapedToken } from '../../../domain/scrapers/platforms.ts'
import type { ScrapedPost, ScrapedProfile } from '../../../domain/scrapers/scraped-profiles.ts'
import { draw } from '../../streaming/embedded/draws.ts'

const dayMs = 86_400_000

export type ProfileRequest = { platform: ScrapedToken; handle: string; depth: number | null }

/** Counts that each platform publishes. */
const shownCounts: Record<ScrapedToken, readonly (keyof Counts)[]> = {
  TIKTOK: ['views', 'likes', 'comments', 'reposts'],
  PHOTO: ['likes', 'comments'],
  X: ['views', 'likes', 'comments', 'reposts'],
  THREADS: ['likes', 'comments', 'reposts'],
  VIDEO: ['views', 'likes', 'comments'],
  FACEBOOK: ['likes', 'comments', 'reposts'],
  LINKEDIN: ['likes', 'comments', 'reposts'],
}

const hosts: Record<ScrapedToken, string> = {
  TIKTOK: 'www.tiktok.com',
  PHOTO: 'www.instagram.com',
  X: 'x.com',
  THREADS: 'www.threads.com',
  VIDEO: 'www.youtube.com',
  FACEBOOK: 'www.facebook.com',
  LINKEDIN: 'www.linkedin.com',
}

const kinds: Partial<Record<ScrapedToken, readonly string[]>> = {
  X: ['original', 'original', 'repost', 'quote', 'reply'],
  VIDEO: ['video', 'short', 'stream'],
}

/** Generates a profile. The same handle always gives the same profile, except for followers, which grow daily. */
export function generateProfile({ platform, handle }: ProfileRequest, nowMs: number): ScrapedProfile {
  const seed = `${platform} ${handle}`
  const days = Math.floor(nowMs / dayMs - 20_000)
  return {
    username: handle,
    avatar: `https://${hosts[platform]}/avatars/${draw(`avatar ${seed}`, 1e9)}.jpg`,
    bio: draw(`has a bio ${seed}`, 4) === 0 ? null : `${handle} on ${platform.toLowerCase()}`,
    region: draw(`has a region ${seed}`, 3) === 0 ? 'DE' : null,
    followers: draw(`followers ${seed}`, 2_000_000) + draw(`new followers ${seed}`, 500) * days,
    following: draw(`following ${seed}`, 2000),
  }
}

/**
 * Generates the posts of a handle, newest first: two in three days, until `depth` posts have a kind that is stored. The
 * handle `many` has 10,000 posts, `twice` has each post twice, and `future` has a post that is not published yet.
 */
export function generatePosts(request: ProfileRequest, nowMs: number): ScrapedPost[] {
  const { handle, depth } = request
  const name = handle.replace(/\d{1,9}$/, '')
  const posts = newestPosts(request, { stored: name === 'many' ? 10_000 : (depth ?? 5), nowMs })
  const [first] = posts
  if (name === 'twice') return posts.flatMap((post) => [post, post])
  if (name === 'future' && first !== undefined)
    return [{ ...first, publishedAt: new Date(nowMs + 30 * dayMs) }, ...posts.slice(1)]
  return posts
}

/** Generates posts, newest first, until `stored` of them have a kind that is stored. */
function newestPosts(request: ProfileRequest, { stored, nowMs }: { stored: number; nowMs: number }): ScrapedPost[] {
  const today = Math.floor(nowMs / dayMs)
  const posts: ScrapedPost[] = []
  for (let count = 0; count < stored;) {
    const post = createPost(request, { day: today - posts.length * 1.5, nowMs })
    posts.push(post)
    if (isStoredKind(request.platform, post.kind)) count++
  }
  return posts
}

type Counts = Pick<ScrapedPost, 'views' | 'likes' | 'comments' | 'reposts'>

function createPost({ platform, handle }: ProfileRequest, { day, nowMs }: { day: number; nowMs: number }): ScrapedPost {
  const publishedAt = new Date(Math.min(day * dayMs, nowMs))
  const seed = `${platform} ${handle} ${Math.floor(day)}`
  const age = Math.max(1, Math.floor(nowMs / dayMs - day))
  const postKinds = kinds[platform] ?? []
  const counts = { views: 900, likes: 90, comments: 9, reposts: 5 }
  const visibleCounts = Object.fromEntries(
    Object.entries(counts).map(([name, perDay]) => [
      name,
      shownCounts[platform].includes(name as keyof Counts) ? draw(`${name} ${seed}`, perDay * 10) * age : null,
    ]),
  ) as Counts
  return {
    url: `https://${hosts[platform]}/${handle}/posts/${draw(`id ${seed}`, 2 ** 40)}`,
    publishedAt,
    ...visibleCounts,
    kind: postKinds[draw(`kind ${seed}`, Math.max(1, postKinds.length))] ?? null,
  }
}
