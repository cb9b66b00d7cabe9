import type { ServerResponse } from 'node:http'
import { describe, expect, it, test } from 'vitest'
import type { ProviderCall } from '../../../providers/call.ts'
import { createEmbeddedStreaming } from '../../../providers/streaming/embedded/index.ts'
import { createSpotifyStreaming, type SpotifyOptions } from '../../../providers/streaming/spotify/index.ts'
import { sendJson } from '../vendors/http.ts'
import { startSpotify } from '../vendors/spotify.ts'
import {
  artistPath,
  createClock,
  cutBody,
  catchError,
  readArtist,
  setUpSpotify,
  withBody,
  withStatus,
} from './spotify-fixture.ts'
import { describeStreaming } from './contract.ts'

describeStreaming('the embedded platform', async () => ({
  streaming: createEmbeddedStreaming({ host: 'open.spotify.com' }),
  call: createClock().call,
  close: async () => {},
}))

describeStreaming('Spotify', async () => {
  const spotify = await startSpotify()
  const clock = createClock()
  const streaming = createSpotifyStreaming(spotify.options, clock)
  const call = (): ProviderCall => {
    // Exceeds every pause that the previous call required.
    clock.advance(10)
    return clock.call()
  }
  return { streaming, call, close: spotify.close }
})

describe('the Spotify adapter', () => {
  const fixture = setUpSpotify()
  const countTokenCalls = () => fixture.listCalls('POST /api/token').length

  describe('the access token', () => {
    test('is requested once for concurrent calls and cached', async () => {
      await Promise.all(Array.from({ length: 10 }, () => readArtist(fixture)))
      await readArtist(fixture)
      expect(countTokenCalls()).toBe(1)
      expect(fixture.listCalls(`GET ${artistPath}`)).toHaveLength(11)
      expect(fixture.spotify.headers.at(-1)).toMatchObject({ 'x-request-id': 'request-1' })
    })

    test('is renewed before it expires', async () => {
      await readArtist(fixture)
      fixture.clock.advance(3200)
      await readArtist(fixture)
      expect(countTokenCalls()).toBe(1)
      fixture.clock.advance(300)
      await readArtist(fixture)
      expect(countTokenCalls()).toBe(2)
    })

    test('is renewed once for all concurrent calls when Spotify rejects it', async () => {
      await readArtist(fixture)
      fixture.spotify.forgetTokens()
      await Promise.all(Array.from({ length: 5 }, () => readArtist(fixture)))
      expect(countTokenCalls()).toBe(2)
      expect(fixture.clock.pauses).toEqual([])
    })

    test('is not renewed a second time if the new token is rejected, too', async () => {
      fixture.spotify.plan(artistPath, withStatus(401), 2)
      expect(await catchError(readArtist(fixture))).toMatchObject({ kind: 'unauthorized', isRetryable: false })
      expect(countTokenCalls()).toBe(2)
    })

    test('reaches waiting calls even if the call that requested it is aborted', async () => {
      const tokenResponse = new Promise<ServerResponse>((resolve) => fixture.spotify.plan('/api/token', resolve))
      const callerAbort = new AbortController()
      const abandoned = catchError(readArtist(fixture, { ...fixture.clock.call(), signal: callerAbort.signal }))
      const response = await tokenResponse
      const waitingRead = readArtist(fixture)
      callerAbort.abort()
      expect(await abandoned).toMatchObject({ kind: 'timeout' })
      fixture.spotify.sendToken(response)
      expect((await waitingRead).profileUrl).toContain('nova1')
      expect(countTokenCalls()).toBe(1)
    })

    test.each<[number, Record<string, string>, number[]]>([
      [429, { 'retry-after': '3' }, [3000]],
      [503, {}, [1000]],
    ])('is requested again after %i', async (status, headers, pauses) => {
      fixture.spotify.plan('/api/token', withStatus(status, headers))
      await readArtist(fixture)
      expect(fixture.clock.pauses).toEqual(pauses)
    })

    test.each([{ access_token: '' }, { access_token: 'x', expires_in: 'soon' }, []])(
      'is unavailable if the response is %j',
      async (body) => {
        fixture.spotify.plan('/api/token', withBody(body), 3)
        expect(await catchError(readArtist(fixture))).toMatchObject({ kind: 'unavailable' })
      },
    )

    test('does not appear in any error, and neither does the client secret', async () => {
      const unauthorized = createSpotifyStreaming(
        { ...fixture.spotify.options, clientSecret: 'wrong-secret' },
        fixture.clock,
      )
      const refused = await catchError(readArtist({ ...fixture, streaming: unauthorized }))
      expect(refused).toMatchObject({ kind: 'unauthorized' })
      await readArtist(fixture)
      const token = fixture.spotify.headers.at(-1)?.authorization?.replace('Bearer ', '') ?? ''
      fixture.spotify.plan(artistPath, (response) => sendJson(response, 400, { error: { message: `no: ${token}` } }))
      const invalid = await catchError(readArtist(fixture))
      expect(invalid).toMatchObject({ kind: 'invalid', message: 'Spotify responded with status 400: no: ***' })
      expect(token).toMatch(/^token-\d+$/)
      const unreachableOptions: SpotifyOptions = { ...fixture.spotify.options, accountsUrl: 'http://127.0.0.1:1' }
      const faults = [
        refused,
        await catchError(
          readArtist({ ...fixture, streaming: createSpotifyStreaming(unreachableOptions, fixture.clock) }),
        ),
      ]
      for (const error of faults)
        expect(error instanceof Error ? error.stack : '').not.toMatch(/the-secret|wrong-secret|Basic/)
    })
  })

  describe('a failed request', () => {
    test('is retried after the stated time', async () => {
      fixture.spotify.plan(artistPath, withStatus(429, { 'retry-after': '7' }))
      await readArtist(fixture)
      expect(fixture.clock.pauses).toEqual([7000])
    })

    test('is not retried beyond the deadline', async () => {
      fixture.spotify.plan(artistPath, withStatus(429, { 'retry-after': '61' }))
      expect(await catchError(readArtist(fixture))).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 61 })
      expect([fixture.clock.pauses, fixture.listCalls(`GET ${artistPath}`).length]).toEqual([[], 1])
    })

    test('delays later requests until the stated time has passed', async () => {
      fixture.spotify.plan(artistPath, withStatus(429, { 'retry-after': '61' }))
      await catchError(readArtist(fixture))
      fixture.clock.advance(31)
      const search = fixture.streaming.findByIsrc('QZABC0000001', fixture.clock.call(29))
      expect(await catchError(search)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 30 })
      expect(fixture.listCalls('GET')).toHaveLength(1)
      await fixture.streaming.findByIsrc('QZABC0000001', fixture.clock.call(40))
      expect([fixture.clock.pauses, fixture.listCalls('GET').length]).toEqual([[30_000], 2])
    })

    test.each<[string, (response: ServerResponse) => void]>([
      ['a status of 500', withStatus(500)],
      ['a status of 503', withStatus(503)],
      ['a redirect', withStatus(302, { location: 'https://elsewhere.example' })],
      ['a cut connection', (response) => response.destroy()],
      ['a cut body', cutBody('{"name":"N')],
      ['a body that is not JSON', (response) => response.end('<html>')],
      [
        'a body of more than 10 MB',
        withBody({ name: 'N', external_urls: { spotify: 'https://x' }, rest: 'x'.repeat(10 * 1024 * 1024) }),
      ],
      ['no name', withBody({ external_urls: { spotify: 'https://x' } })],
      ['a name that is not text', withBody({ name: 1, external_urls: { spotify: 'https://x' } })],
      ['a list', withBody([])],
    ])('is retried after %s', async (_, respond) => {
      fixture.spotify.plan(artistPath, respond)
      expect((await readArtist(fixture)).name).toMatch(/./)
      expect(fixture.clock.pauses).toEqual([1000])
    })

    test('is attempted at most three times', async () => {
      fixture.spotify.plan(artistPath, withStatus(500), 3)
      expect(await catchError(readArtist(fixture))).toMatchObject({ kind: 'unavailable' })
      expect(fixture.clock.pauses).toEqual([1000, 2000])
    })

    test.each([
      [400, 'Invalid market', 'invalid'],
      [400, 'Invalid base62 id', 'not_found'],
      [403, 'Forbidden', 'unauthorized'],
      [404, 'Resource not found', 'not_found'],
    ])('is not retried after %i %s', async (status, message, kind) => {
      fixture.spotify.plan(artistPath, (response) => sendJson(response, status, { error: { status, message } }))
      expect(await catchError(readArtist(fixture))).toMatchObject({ kind })
      expect(fixture.listCalls(`GET ${artistPath}`)).toHaveLength(1)
    })
  })

  it('accepts the reduced responses of development mode and unknown fields', async () => {
    const links = { spotify: 'https://open.spotify.com/artist/nova1' }
    fixture.spotify.plan(
      artistPath,
      withBody({ name: 'Nul\u0000l', external_urls: links, popularity: 9, later: { x: [] } }),
    )
    expect(await readArtist(fixture)).toEqual({
      name: 'Nul\uFFFDl',
      imageUrl: null,
      followers: null,
      profileUrl: links.spotify,
    })
    const minimalTrack = { id: 't1', name: 'T', album: { id: 'a1', name: 'A' }, artists: [] }
    fixture.spotify.plan('/v1/tracks', withBody({ tracks: [minimalTrack, null] }))
    expect(await fixture.streaming.getTracks(['t1', 't2'], fixture.clock.call())).toEqual([
      { trackId: 't1', isrc: null, name: 'T', albumId: 'a1', album: 'A', artworkUrl: null, artists: [] },
    ])
    const release = { id: 'a1', name: 'A', album_type: 'compilation' }
    fixture.spotify.plan(`${artistPath}/albums`, withBody({ items: [release], limit: 5, next: 'https://next' }))
    const first = { artistId: 'nova1', groups: ['album'] as const, cursor: '10' }
    expect(await fixture.streaming.listReleases(first, fixture.clock.call())).toEqual({
      items: [{ albumId: 'a1', name: 'A', type: 'album', releaseDate: null, trackCount: null }],
      next: '15',
    })
  })

  it.each([
    ['a page without items', { items: [], limit: 5, next: 'https://next' }],
    [
      'the total number of items',
      { items: [{ id: 'a1', name: 'A', album_type: 'album' }], limit: 5, total: 9, next: 'https://next' },
    ],
  ])('ends a list at %s, regardless of `next`', async (_, page) => {
    fixture.spotify.plan(`${artistPath}/albums`, withBody(page))
    const request = { artistId: 'nova1', groups: ['album'] as const, cursor: '5' }
    expect((await fixture.streaming.listReleases(request, fixture.clock.call())).next).toBeNull()
  })

  it('ignores tracks that Spotify returns for another ISRC', async () => {
    const track = { id: 't1', name: 'T', album: { id: 'a1', name: 'A' }, artists: [] }
    const searchResult = (isrc: string) => ({ tracks: { items: [{ ...track, external_ids: { isrc } }] } })
    fixture.spotify.plan('/v1/search', withBody(searchResult('QZABC0000002')))
    expect(await fixture.streaming.findByIsrc('QZABC0000001', fixture.clock.call())).toBeNull()
    fixture.spotify.plan('/v1/search', withBody(searchResult('qz-abc-00-00001')))
    expect(await fixture.streaming.findByIsrc('QZABC0000001', fixture.clock.call())).toMatchObject({ trackId: 't1' })
    expect(fixture.listCalls('GET /v1/search?q=isrc%3AQZABC0000001')).toHaveLength(2)
  })

  it('sends no request for an invalid id or a cursor from another list', async () => {
    const releases = { groups: ['album'] as const, cursor: null }
    const invalidRequest = { artistId: '../me', ...releases }
    expect(await catchError(fixture.streaming.getArtist('..', fixture.clock.call()))).toMatchObject({
      kind: 'not_found',
    })
    expect(await catchError(fixture.streaming.listReleases(invalidRequest, fixture.clock.call()))).toMatchObject({
      kind: 'not_found',
    })
    const foreignCursorRequest = { artistId: 'nova1', ...releases, cursor: '1&limit=50' }
    expect(await catchError(fixture.streaming.listReleases(foreignCursorRequest, fixture.clock.call()))).toMatchObject({
      kind: 'invalid',
    })
    expect(await fixture.streaming.getAlbums(['a,b', 'a/b', ''], fixture.clock.call())).toEqual([])
    expect(fixture.spotify.calls).toEqual([])
  })
})
