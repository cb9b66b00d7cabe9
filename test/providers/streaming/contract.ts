import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProviderCall } from '../../../providers/call.ts'
import {
  maxFoundArtists,
  type Release,
  type ReleaseGroup,
  type StreamingPort,
} from '../../../providers/streaming/index.ts'

type OpenedStreamingPlatform = { streaming: StreamingPort; call(): ProviderCall; close(): Promise<void> }

const createIsrcs = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `QZABC${String(index).padStart(7, '0')}`)

const listIds = (releases: readonly { albumId: string }[]): string[] => releases.map(({ albumId }) => albumId)

/** Declares the tests that every streaming platform passes. They use artists of the embedded platform. */
export const describeStreaming = (name: string, openPlatform: () => Promise<OpenedStreamingPlatform>): void => {
  describe(`the streaming platform: ${name}`, () => {
    let platform: OpenedStreamingPlatform
    let streaming: StreamingPort
    beforeAll(async () => {
      platform = await openPlatform()
      streaming = platform.streaming
    })
    afterAll(() => platform.close())

    const listPages = async (artistId: string, groups: ReleaseGroup[] = ['album', 'single']): Promise<Release[][]> => {
      const pages: Release[][] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<StreamingPort['listReleases']>> = await streaming.listReleases(
          { artistId, groups, cursor },
          platform.call(),
        )
        pages.push(page.items)
        cursor = page.next
      } while (cursor !== null)
      return pages
    }

    it('lists the releases of an artist page by page, each once', async () => {
      const pages = await listPages('releases120')
      expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
      expect(new Set(listIds(pages.flat())).size).toBe(120)
      expect(pages[0]?.[0]).toEqual({
        albumId: expect.stringMatching(/^[A-Za-z0-9]{1,64}$/),
        name: expect.stringMatching(/./),
        type: 'album',
        releaseDate: expect.toSatisfy((date) => date === null || /^\d{4}(-\d\d){0,2}$/.test(String(date))),
        trackCount: 10,
      })
    })

    it('lists only the requested groups', async () => {
      const [albums, singles] = [
        (await listPages('nova1', ['album'])).flat(),
        (await listPages('nova1', ['single'])).flat(),
      ]
      expect(new Set(albums.map(({ type }) => type))).toEqual(new Set(['album']))
      expect(new Set(singles.map(({ type }) => type))).toEqual(new Set(['single']))
      expect(listIds((await listPages('nova1')).flat()).sort()).toEqual(
        [...listIds(albums), ...listIds(singles)].sort(),
      )
    })

    it('lists nothing for an artist without releases', async () => {
      expect(await listPages('releases0')).toEqual([[]])
    })

    it('returns the same details of an artist each time', async () => {
      const artist = await streaming.getArtist('nova1', platform.call())
      expect(artist).toEqual({
        name: expect.stringMatching(/./),
        imageUrl: expect.stringMatching(/^https:/),
        followers: expect.any(Number),
        profileUrl: 'https://open.spotify.com/artist/nova1',
      })
      expect(await streaming.getArtist('nova1', platform.call())).toEqual(artist)
    })

    it('finds artists by name with their known fields, and none for an unknown name', async () => {
      const artists = await streaming.searchArtists('VELVET ', platform.call())
      expect(artists.length).toBeGreaterThan(1)
      expect(artists.length).toBeLessThanOrEqual(maxFoundArtists)
      for (const { artistId, ...artist } of artists) {
        expect(artist.name).toContain('Velvet')
        expect(await streaming.getArtist(artistId, platform.call())).toEqual(artist)
      }
      expect(await streaming.searchArtists('no such name', platform.call())).toEqual([])
    })

    it('returns up to twenty albums in the requested order and omits unknown ids', async () => {
      const releases = (await listPages('releases19')).flat().reverse()
      const albums = releases.map(({ albumId, name, releaseDate }) => ({ albumId, name, releaseDate }))
      const ids = listIds(releases)
      expect(await streaming.getAlbums([...ids.slice(0, 7), 'unknown1', ...ids.slice(7)], platform.call())).toEqual(
        albums,
      )
      expect(await streaming.getAlbums([], platform.call())).toEqual([])
    })

    it('returns up to fifty tracks in the requested order and omits unknown ids', async () => {
      const ids = createIsrcs(49).map((code) => `r${code}`)
      const tracks = await streaming.getTracks([...ids.slice(0, 7), 'nothing', ...ids.slice(7)], platform.call())
      expect(tracks.map(({ trackId }) => trackId)).toEqual(ids)
      expect(await streaming.getTracks([], platform.call())).toEqual([])
    })

    it('returns the ISRC, the album and the artists of a track', async () => {
      const [track] = await streaming.getTracks(['t00101releases1'], platform.call())
      expect(track).toEqual({
        trackId: 't00101releases1',
        isrc: expect.stringMatching(/^[A-Z]{2}[A-Z0-9]{10}$/),
        name: expect.stringMatching(/./),
        albumId: 'a001releases1',
        album: expect.stringMatching(/./),
        artworkUrl: expect.stringMatching(/^https:/),
        artists: [{ id: 'releases1', name: expect.stringMatching(/./) }],
      })
    })

    it('finds a track by its ISRC and returns none for an unknown ISRC', async () => {
      const [code = ''] = createIsrcs(1)
      const track = await streaming.findByIsrc(code, platform.call())
      expect(track?.isrc).toBe(code)
      expect(await streaming.getTracks([track?.trackId ?? ''], platform.call())).toEqual([track])
      expect(await streaming.findByIsrc('ZZ0000000001', platform.call())).toBeNull()
    })

    it.each([
      ['unknown', { kind: 'not_found' }],
      ['failing', { kind: 'unavailable' }],
      ['garbage', { kind: 'unavailable' }],
      ['busy', { kind: 'rate_limited', retryAfterSeconds: 7 }],
    ])("reports the provider's error for the artist %s", async (artistId, error) => {
      const request = { artistId, groups: ['album'] as const, cursor: null }
      await expect(streaming.getArtist(artistId, platform.call())).rejects.toMatchObject(error)
      await expect(streaming.listReleases(request, platform.call())).rejects.toMatchObject(error)
    })

    it('ends a call at its deadline and when the caller aborts it', async () => {
      const expiringCall = { ...platform.call(), deadline: new Date(Date.now() + 50) }
      await expect(streaming.getArtist('hanging', expiringCall)).rejects.toMatchObject({ kind: 'timeout' })
      const abortedCall = { ...platform.call(), signal: AbortSignal.abort() }
      await expect(streaming.getArtist('nova1', abortedCall)).rejects.toMatchObject({ kind: 'timeout' })
    })
  })
}
