import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectPosts } from '../../../domain/scrapers/platforms.ts'
import { buildCallbackUrl } from '../../../providers/scraper/callback.ts'
import type { ScraperPort } from '../../../providers/scraper/index.ts'

type OpenedScraper = { scraper: ScraperPort; serverSecret: string; close(): Promise<void> }

const createCall = () => ({ deadline: new Date(Date.now() + 30_000), requestId: 'request-1' })
const albumIds = ['a001releases3', 'a002releases3', 'a003releases3']
const albums = { kind: 'playcounts', albumIds } as const

/** Declares the tests that every scraper passes. They use artists of the embedded scraper. */
export const describeScraper = (name: string, openProvider: () => Promise<OpenedScraper>): void => {
  describe(`the scraper: ${name}`, () => {
    let provider: OpenedScraper
    let scraper: ScraperPort
    beforeAll(async () => {
      provider = await openProvider()
      scraper = provider.scraper
    })
    afterAll(() => provider.close())

    const start = (key: string, request: Parameters<ScraperPort['start']>[0]['request'] = albums) =>
      scraper.start({ key, request, callbackUrl: 'https://backline.example/hook' }, createCall())

    it('starts one run per key and finds the run by its key', async () => {
      expect(await scraper.find('capture:none:0', albums, createCall())).toBeUndefined()
      const { providerRunId } = await start('capture:a:0')
      await start('capture:a:1')
      expect(await scraper.find('capture:a:0', albums, createCall())).toMatchObject({
        providerRunId,
        state: 'succeeded',
      })
      expect(await scraper.status(providerRunId, createCall())).toMatchObject({ providerRunId, state: 'succeeded' })
    })

    it('returns the albums of a run page by page', async () => {
      const { providerRunId } = await start('capture:b:0')
      const first = await scraper.albums({ providerRunId, offset: 0, limit: 2 }, createCall())
      const second = await scraper.albums({ providerRunId, offset: 2, limit: 2 }, createCall())
      expect([first.hasMore, second.hasMore]).toEqual([true, false])
      const albums = [...first.items, ...second.items]
      expect(albums.map(({ albumId }) => albumId)).toEqual(albumIds)
      for (const { tracks } of albums) {
        expect(tracks).toHaveLength(10)
        for (const { trackId, playCount } of tracks) {
          expect(trackId).toMatch(/^[A-Za-z0-9]{1,64}$/)
          expect(playCount === null || (Number.isInteger(playCount) && playCount >= 0)).toBe(true)
        }
      }
    })

    it.each([1, 20, 100])('finds as many posts of a profile as are requested: %i', async (depth) => {
      const request = {
        kind: 'profile',
        platform: 'TIKTOK',
        handle: 'nova',
        url: 'https://tiktok.com/@nova',
        depth,
      } as const
      const { providerRunId } = await start(`profile:${depth}`, request)
      const { posts } = await scraper.profile('TIKTOK', { providerRunId, offset: 0, limit: 2000 }, createCall())
      expect(selectPosts('TIKTOK', posts, depth)).toHaveLength(depth)
    })

    it('returns the events of a profile', async () => {
      const { providerRunId } = await start('events:a', { kind: 'events', profileId: '4711', dates: 'all' })
      const { items, hasMore } = await scraper.events({ providerRunId, offset: 0, limit: 500 }, createCall())
      expect([items.length > 3, hasMore]).toEqual([true, false])
      for (const { localStart, venue, city, offerUrls } of items) {
        expect(localStart).toMatch(/^\d{4}-\d\d-\d\dT/)
        expect([venue, city]).toEqual([expect.any(String), expect.any(String)])
        for (const url of offerUrls) expect(url).toMatch(/^https:/)
      }
    })

    it('aborts a run and does not change an ended run', async () => {
      const { providerRunId } = await start('capture:c:0', { kind: 'playcounts', albumIds: ['a001hanging1'] })
      await scraper.abort(providerRunId, createCall())
      const { state } = await scraper.status(providerRunId, createCall())
      expect(['aborted', 'succeeded']).toContain(state)
      await scraper.abort(providerRunId, createCall())
      expect((await scraper.status(providerRunId, createCall())).state).toBe(state)
    })

    it('does not find a run that was never started', async () => {
      const notFound = { kind: 'not_found' }
      await expect(scraper.status('nothing', createCall())).rejects.toMatchObject(notFound)
      await expect(
        scraper.albums({ providerRunId: 'nothing', offset: 0, limit: 1 }, createCall()),
      ).rejects.toMatchObject(notFound)
    })

    it('accepts a webhook only for the run in its token', () => {
      const address = new URL(
        buildCallbackUrl({ baseUrl: 'https://b.example', serverSecret: provider.serverSecret }, 'run:1'),
      )
      const query = Object.fromEntries(address.searchParams)
      const createWebhook = (changed: object) => ({
        query: { ...query, ...changed },
        headers: {},
        rawBody: Buffer.alloc(0),
      })
      expect(scraper.verifyWebhook(createWebhook({}))).toEqual({ runKey: 'run:1' })
      for (const forged of [{ run: 'run:2' }, { token: '' }, { token: 'a'.repeat(64) }, { token: undefined }])
        expect(() => scraper.verifyWebhook(createWebhook(forged))).toThrow(expect.objectContaining({ kind: 'invalid' }))
    })
  })
}
