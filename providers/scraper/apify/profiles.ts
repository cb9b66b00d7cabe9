import { z } from 'zod'
import type { ScrapedToken } from '../../../domain/scrapers/platforms.ts'
import type { ScrapedPost, ScrapedProfile } from '../../../domain/scrapers/scraped-profiles.ts'
import { readRecords } from '../../records.ts'
import { count, readMember, toRow, text, type Row } from './members.ts'

/**
 * Member names of a platform's actor. A space separates alternatives, because versions of an actor use different names. An
 * actor without a member does not report the value.
 */
type Shape = {
  /** Member of an item that lists its posts. If absent, each item is a post. */
  posts?: string
  post: { url: string; publishedAt: string }
  counts: { views?: string; likes: string; comments: string; reposts?: string }
  profile: { username: string; avatar: string; bio?: string; region?: string }
  audience: { followers: string; following?: string }
  classifyPost?: (post: Row) => string
}

const shapes: Record<ScrapedToken, Shape> = {
  TIKTOK: {
    post: { url: 'webVideoUrl url', publishedAt: 'createTimeISO createTime' },
    counts: { views: 'playCount', likes: 'diggCount', comments: 'commentCount', reposts: 'shareCount' },
    profile: {
      username: 'authorMeta.name',
      avatar: 'authorMeta.avatar authorMeta.originalAvatarUrl',
      bio: 'authorMeta.signature',
      region: 'authorMeta.region',
    },
    audience: { followers: 'authorMeta.fans', following: 'authorMeta.following' },
  },
  PHOTO: {
    posts: 'latestPosts',
    post: { url: 'url', publishedAt: 'timestamp' },
    counts: { likes: 'likesCount', comments: 'commentsCount' },
    profile: { username: 'username', avatar: 'profilePicUrlHD profilePicUrl', bio: 'biography' },
    audience: { followers: 'followersCount', following: 'followsCount' },
  },
  X: {
    post: { url: 'url twitterUrl', publishedAt: 'createdAt' },
    counts: { views: 'viewCount', likes: 'likeCount', comments: 'replyCount', reposts: 'retweetCount' },
    profile: {
      username: 'author.userName',
      avatar: 'author.profilePicture',
      bio: 'author.description',
      region: 'author.location',
    },
    audience: { followers: 'author.followers', following: 'author.following' },
    classifyPost: ({ isRetweet, isReply, isQuote }) =>
      isRetweet === true ? 'repost' : isReply === true ? 'reply' : isQuote === true ? 'quote' : 'original',
  },
  THREADS: {
    post: { url: 'url postUrl', publishedAt: 'takenAt timestamp' },
    counts: {
      views: 'viewCount',
      likes: 'likeCount likesCount',
      comments: 'replyCount repliesCount',
      reposts: 'repostCount repostsCount',
    },
    profile: {
      username: 'user.username username',
      avatar: 'user.profilePicUrl profilePicUrl',
      bio: 'user.biography biography',
    },
    audience: { followers: 'user.followerCount followerCount', following: 'user.followingCount' },
  },
  VIDEO: {
    post: { url: 'url', publishedAt: 'date' },
    counts: { views: 'viewCount', likes: 'likes', comments: 'commentsCount' },
    profile: {
      username: 'channelUsername',
      avatar: 'channelAvatarUrl',
      bio: 'channelDescription',
      region: 'channelLocation',
    },
    audience: { followers: 'numberOfSubscribers' },
    classifyPost: ({ type }) =>
      type === 'shorts' || type === 'short' ? 'short' : type === 'stream' ? 'stream' : 'video',
  },
  FACEBOOK: {
    post: { url: 'url topLevelUrl', publishedAt: 'time timestamp' },
    counts: { views: 'viewsCount', likes: 'likes', comments: 'comments', reposts: 'shares' },
    profile: { username: 'user.name pageName', avatar: 'user.profilePic' },
    audience: { followers: 'followers' },
  },
  LINKEDIN: {
    post: { url: 'url linkedinUrl', publishedAt: 'postedAtISO postedAt.date postedAt' },
    counts: {
      likes: 'numLikes engagement.likes',
      comments: 'numComments engagement.comments',
      reposts: 'numShares engagement.shares',
    },
    profile: {
      username: 'author.publicIdentifier authorName',
      avatar: 'author.avatar.url authorProfilePicture',
      bio: 'author.info authorHeadline',
    },
    audience: { followers: 'author.followersCount authorFollowersCount' },
  },
}

/**
 * Parses the profile and the posts in an item of a platform's actor. Returns undefined for an item with neither, such as an
 * error row or an item of an unknown shape.
 */
export function toProfile(
  token: ScrapedToken,
  item: unknown,
): { profile: ScrapedProfile | null; posts: ScrapedPost[] } | undefined {
  const shape = shapes[token]
  const row = toRow(item)
  if (row === undefined) return undefined
  const posts = parsePosts(shape, row)
  const profile = parseProfile(shape, row)
  return posts.length === 0 && profile === null ? undefined : { profile, posts }
}

function parsePosts(shape: Shape, row: Row): ScrapedPost[] {
  if (shape.posts === undefined) return toPost(shape, row)
  const rows = row[shape.posts]
  const read = (post: unknown) => toPost(shape, toRow(post) ?? {}).at(0)
  return readRecords('Apify posts', Array.isArray(rows) ? rows : [], read)
}

function toPost({ post, counts, classifyPost }: Shape, row: Row): ScrapedPost[] {
  const url = readNamed(row, post.url, postUrl)
  const publishedAt = readNamed(row, post.publishedAt, publicationTime)
  if (url === null || publishedAt === null) return []
  return [
    {
      url,
      publishedAt,
      views: readNamed(row, counts.views, count),
      likes: readNamed(row, counts.likes, count),
      comments: readNamed(row, counts.comments, count),
      reposts: readNamed(row, counts.reposts, count),
      kind: classifyPost?.(row) ?? null,
    },
  ]
}

/** Parses the profile of an item; null for an item without profile data. */
function parseProfile({ profile, audience }: Shape, row: Row): ScrapedProfile | null {
  const username = readNamed(row, profile.username, text)
  if (username === null) return null
  return {
    username,
    avatar: readNamed(row, profile.avatar, text),
    bio: readNamed(row, profile.bio, text),
    region: readNamed(row, profile.region, text),
    followers: readNamed(row, audience.followers, count),
    following: readNamed(row, audience.following, count),
  }
}

function readNamed<T>(row: Row, names: string | undefined, schema: z.ZodType<T>): T | null {
  return readMember(row, names?.split(' ') ?? [], schema)
}

/** Schema of a post URL. Removes the query, except for the video id of a watch page. */
const postUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .transform((value) => {
    const { hostname, pathname, searchParams } = new URL(value)
    const video = searchParams.get('v')
    const path = pathname.replace(/\/$/, '')
    return `https://${hostname}${path}${path === '/watch' && video !== null ? `?v=${encodeURIComponent(video)}` : ''}`
  })

const minPublicationMs = Date.UTC(2000, 0)

/** Schema of a time: seconds or milliseconds since 1970, or a date string. */
const publicationTime = z
  .union([z.string().max(100), z.number()])
  .transform((value) => new Date(typeof value === 'number' && value < 1e11 ? value * 1000 : value))
  .refine((date) => date.getTime() >= minPublicationMs)
