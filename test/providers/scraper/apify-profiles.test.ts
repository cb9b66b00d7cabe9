import { describe, expect, test } from 'vitest'
import type { ScrapedToken } from '../../../domain/scrapers/platforms.ts'
import { buildProfileInput } from '../../../providers/scraper/apify/profile-input.ts'
import { toProfile } from '../../../providers/scraper/apify/profiles.ts'

const at = new Date('2026-08-01T10:00:00Z')

/** An item of each platform's published actor, with the post and profile that are read from it. */
const samples: [ScrapedToken, object, { post: object; profile: object }][] = [
  [
    'TIKTOK',
    {
      webVideoUrl: 'https://www.tiktok.com/@nova/video/7300000000000000001?lang=en',
      createTimeISO: '2026-08-01T10:00:00.000Z',
      playCount: 1000,
      diggCount: 90,
      commentCount: 8,
      shareCount: 7,
      authorMeta: { name: 'nova', avatar: 'https://p16.example/a.jpg', signature: 'Hi', fans: 50, following: 3 },
    },
    {
      post: {
        url: 'https://www.tiktok.com/@nova/video/7300000000000000001',
        views: 1000,
        likes: 90,
        comments: 8,
        reposts: 7,
      },
      profile: { username: 'nova', bio: 'Hi', followers: 50, following: 3, region: null },
    },
  ],
  [
    'PHOTO',
    {
      username: 'nova',
      biography: 'Hi',
      followersCount: 50,
      followsCount: 3,
      profilePicUrl: 'https://p.example/a.jpg',
      latestPosts: [
        {
          url: 'https://www.instagram.com/p/Abc/',
          timestamp: '2026-08-01T10:00:00.000Z',
          likesCount: -1,
          commentsCount: 8,
        },
      ],
    },
    {
      post: { url: 'https://www.instagram.com/p/Abc', views: null, likes: null, comments: 8, reposts: null },
      profile: { username: 'nova', bio: 'Hi', followers: 50, following: 3 },
    },
  ],
  [
    'X',
    {
      url: 'https://x.com/nova/status/1?s=20',
      createdAt: 'Sat Aug 01 10:00:00 +0000 2026',
      viewCount: '1000',
      likeCount: 90,
      replyCount: 8,
      retweetCount: 7,
      isQuote: true,
      author: { userName: 'nova', description: 'Hi', followers: 50, following: 3, location: 'Berlin' },
    },
    {
      post: { url: 'https://x.com/nova/status/1', views: 1000, likes: 90, comments: 8, reposts: 7, kind: 'quote' },
      profile: { username: 'nova', region: 'Berlin', followers: 50 },
    },
  ],
  [
    'THREADS',
    {
      url: 'https://www.threads.com/@nova/post/1',
      takenAt: 1785578400,
      likeCount: 90,
      replyCount: 8,
      repostCount: 7,
      user: { username: 'nova', followerCount: 50 },
    },
    { post: { likes: 90, comments: 8, reposts: 7, views: null }, profile: { username: 'nova', followers: 50 } },
  ],
  [
    'VIDEO',
    {
      url: 'https://www.youtube.com/watch?v=abc_-1&t=3',
      date: '2026-08-01T10:00:00.000Z',
      type: 'shorts',
      viewCount: 1000,
      likes: 90,
      commentsCount: 8,
      channelUsername: 'nova',
      numberOfSubscribers: 50,
      channelLocation: 'DE',
    },
    {
      post: { url: 'https://www.youtube.com/watch?v=abc_-1', views: 1000, likes: 90, comments: 8, kind: 'short' },
      profile: { username: 'nova', followers: 50, region: 'DE' },
    },
  ],
  [
    'FACEBOOK',
    {
      url: 'https://www.facebook.com/nova/posts/1/',
      time: '2026-08-01T10:00:00.000Z',
      likes: 90,
      comments: 8,
      shares: 7,
      user: { name: 'Nova', profilePic: 'https://p.example/a.jpg' },
    },
    { post: { likes: 90, comments: 8, reposts: 7 }, profile: { username: 'Nova' } },
  ],
  [
    'LINKEDIN',
    {
      linkedinUrl: 'https://www.linkedin.com/posts/nova_1',
      postedAt: { date: '2026-08-01T10:00:00.000Z' },
      engagement: { likes: 90, comments: 8, shares: 7 },
      author: { publicIdentifier: 'nova', info: 'Hi', followersCount: 50 },
    },
    { post: { likes: 90, comments: 8, reposts: 7 }, profile: { username: 'nova', bio: 'Hi', followers: 50 } },
  ],
]

describe('the items of an actor', () => {
  test.each(samples)('for %s are read', (token, item, { post, profile }) => {
    const read = toProfile(token, item)
    expect(read?.posts).toHaveLength(1)
    expect(read?.posts[0]).toMatchObject({ publishedAt: at, ...post })
    expect(read?.profile).toMatchObject(profile)
  })

  test.each(samples)('for %s are omitted if they are error rows or have an unknown shape', (token) => {
    for (const item of [null, 'text', [], {}, { error: 'no_items' }, { url: 'javascript:alert(1)', date: 'soon' }])
      expect(toProfile(token, item)).toBeUndefined()
  })
})

test.each([1, 20])('the actor for X searches for %i posts, without replies and reposts', (depth) => {
  const input = buildProfileInput({ kind: 'profile', platform: 'X', handle: 'nova', url: 'https://x.com/nova', depth })
  expect(input).toEqual({
    searchTerms: ['from:nova -filter:replies -filter:nativeretweets'],
    maxItems: depth,
    sort: 'Latest',
  })
})
