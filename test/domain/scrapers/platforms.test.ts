import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseProfile } from '../../../domain/artists/profiles.ts'
import { resolveDepth, selectPosts, resolveTarget, type ScrapedToken } from '../../../domain/scrapers/platforms.ts'
import { scrapePrice } from '../../../domain/scrapers/price.ts'
import { priceTable } from '../../../domain/credits/work-prices.ts'

const hosts = { streaming: 'open.spotify.com', liveEvents: 'bandsintown.com' }

describe('the platform table', () => {
  test.each<[ScrapedToken, number | null, number | null]>([
    ['TIKTOK', 1, 20],
    ['PHOTO', 12, 12],
    ['X', 1, 20],
    ['THREADS', null, null],
    ['VIDEO', 1, 20],
    ['FACEBOOK', null, null],
    ['LINKEDIN', 1, 20],
  ])('requests from %s %s posts by default, and %s for a depth of 20', (token, defaultDepth, depthFor20) => {
    expect([resolveDepth(token, null), resolveDepth(token, 20)]).toEqual([defaultDepth, depthFor20])
  })

  test.each([
    ['TIKTOK', 'nova', { platform: 'TIKTOK', handle: 'nova' }],
    ['STREAMING', 'nova', { error: 'Platform is not supported' }],
    ['LIVE_EVENTS', 'nova', { error: 'Platform is not supported' }],
    ['OTHER', 'nova', { error: 'Platform is not supported' }],
    ['VIDEO', null, { error: 'Profile address has no handle' }],
    ['X', 'no handle', { error: 'Profile address has no handle' }],
    ['X', 'a'.repeat(101), { error: 'Profile address has no handle' }],
  ] as const)('resolves %s with the handle %s to %o', (token, username, target) => {
    expect(resolveTarget({ token, username })).toEqual(target)
  })
})

describe('the price of a scrape', () => {
  test.each([
    [3, 20, 75],
    [3, null, 18],
    [2, 1, 12],
  ])('for %i profiles with %s posts is %i credits', (profiles, posts, credits) => {
    expect(profiles * scrapePrice(posts, priceTable())).toBe(credits)
  })
})

const post = (url: string, day: number, kind: string | null = null) => ({
  url,
  kind,
  publishedAt: new Date(Date.UTC(2026, 0, day)),
})

describe('the posts that are kept', () => {
  test('are the newest authored posts on X, up to the requested number', () => {
    const posts = [post('a', 1, 'original'), post('b', 5, 'repost'), post('c', 4, 'quote'), post('d', 3, 'reply')]
    expect(selectPosts('X', [...posts, post('e', 2, 'original')], 2).map(({ url }) => url)).toEqual(['c', 'e'])
  })

  test('are the newest among videos, shorts and streams', () => {
    const posts = [post('a', 1, 'video'), post('b', 3, 'short'), post('c', 2, 'stream')]
    expect(selectPosts('VIDEO', posts, 2).map(({ url }) => url)).toEqual(['b', 'c'])
  })

  test('are all posts, each once and with its first counts, if the platform has no depth', () => {
    const posts = [post('a', 1), { ...post('b', 2), likes: 1 }, { ...post('b', 2), likes: 2 }]
    expect(selectPosts('FACEBOOK', posts, null)).toMatchObject([{ url: 'b', likes: 1 }, { url: 'a' }])
  })

  test.each(['TIKTOK', 'X', 'VIDEO', 'LINKEDIN', 'PHOTO'] as const)(
    'are limited to the requested number on %s',
    (token) => {
      expect(selectPosts(token, [post('a', 1), post('b', 2), post('c', 3)], 2).map(({ url }) => url)).toEqual([
        'c',
        'b',
      ])
    },
  )
})

describe('URLs of other sites', () => {
  const host = fc.constantFrom('tiktok.com', 'x.com', 'instagram.com', 'youtube.com', 'www.threads.net')
  const name = fc.stringMatching(/^[a-z0-9._-]{1,20}$/)

  test('with credentials, a look-alike host or a host in the path never belong to a platform', () => {
    fc.assert(
      fc.property(host, name, (platform, handle) => {
        expect(parseProfile(`https://${handle}@${platform}/x`, hosts)).toBeUndefined()
        for (const address of [
          `https://${platform}.evil.example/${handle}`,
          `https://evil-${platform.replace(/^www\./, '')}/${handle}`,
          `https://evil.example/${platform}/${handle}`,
          `https://evil.example/?u=https://${platform}/${handle}`,
          `https://evil.example#https://${platform}/${handle}`,
        ])
          expect(parseProfile(address, hosts)?.token ?? 'OTHER').toBe('OTHER')
      }),
    )
  })

  test('of any form are rejected or have a stable normal form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (address) => {
        const profile = parseProfile(address, hosts)
        if (profile === undefined) return
        expect(parseProfile(`https://${profile.url}`, hosts)?.url).toBe(profile.url)
        expect(profile.url).not.toMatch(/[?#\s]|^https?:/)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    'https://xn--tktok-eza.com/@nova',
    'https://tiktok.com%2eevil.example/@nova',
    'https://tiktok.com\\@evil.example/',
    'https://tiktok.com:443@evil.example/@nova',
    'https://[::1]/tiktok.com/@nova',
    'https://tiktok.com\u3002evil.example/@nova',
  ])('%s is not a TikTok profile', (address) => {
    expect(parseProfile(address, hosts)?.token ?? 'none').not.toBe('TIKTOK')
  })
})
