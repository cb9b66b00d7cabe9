import { isStoredKind, type ScrapedToken } from '../../../domain/scrapers/platforms.ts'
import type { ScrapedPost, ScrapedProfile } from '../../../domain/scrapers/scraped-profiles.ts'
import { draw } from '../../streaming/embedded/draws.ts'

const dayMs = 86_400_000

export type ProfileRequest = { platform: ScrapedToken; handle: string; depth: number | null }

/** Fields that a platform omits because it does not count them. */
const counted: Record<ScrapedToken, readonly (keyof Counts)[]> = {
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

/** Of the same handle always the same, but for followers, who become more by the day. `at` is in milliseconds. */
export function scrapedProfile({ platform, handle }: ProfileRequest, at: number): ScrapedProfile {
  const seed = `${platform} ${handle}`
  const days = Math.floor(at / dayMs - 20_000)
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
 * Posts of the handle, newest first: two in three days, and as many of the stored kinds as `depth`. `many` has 10,000 of
 * them, `twice` each post twice, and `future` one that is not published yet.
 */
export function scrapedPosts(request: ProfileRequest, at: number): ScrapedPost[] {
  const { handle, depth } = request
  const name = handle.replace(/\d{1,9}$/, '')
  const posts = newestPosts(request, { stored: name === 'many' ? 10_000 : (depth ?? 5), at })
  const [first] = posts
  if (name === 'twice') return posts.flatMap((post) => [post, post])
  if (name === 'future' && first !== undefined)
    return [{ ...first, publishedAt: new Date(at + 30 * dayMs) }, ...posts.slice(1)]
  return posts
}

/** From today backwards until `stored` of them are of a kind that is stored. */
function newestPosts(request: ProfileRequest, { stored, at }: { stored: number; at: number }): ScrapedPost[] {
  const today = Math.floor(at / dayMs)
  const posts: ScrapedPost[] = []
  for (let count = 0; count < stored;) {
    const post = createPost(request, { day: today - posts.length * 1.5, at })
    posts.push(post)
    if (isStoredKind(request.platform, post.kind)) count++
  }
  return posts
}

type Counts = Pick<ScrapedPost, 'views' | 'likes' | 'comments' | 'reposts'>

function createPost({ platform, handle }: ProfileRequest, { day, at }: { day: number; at: number }): ScrapedPost {
  const publishedAt = new Date(Math.min(day * dayMs, at))
  const seed = `${platform} ${handle} ${Math.floor(day)}`
  const age = Math.max(1, Math.floor(at / dayMs - day))
  const some = kinds[platform] ?? []
  const counts = { views: 900, likes: 90, comments: 9, reposts: 5 }
  const shown = Object.fromEntries(
    Object.entries(counts).map(([name, perDay]) => [
      name,
      counted[platform].includes(name as keyof Counts) ? draw(`${name} ${seed}`, perDay * 10) * age : null,
    ]),
  ) as Counts
  return {
    url: `https://${hosts[platform]}/${handle}/posts/${draw(`id ${seed}`, 2 ** 40)}`,
    publishedAt,
    ...shown,
    kind: some[draw(`kind ${seed}`, Math.max(1, some.length))] ?? null,
  }
}
