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
} from './bench.ts'
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

describe('Spotify', () => {
  const bench = setUpSpotify()
  const countTokenCalls = () => bench.listCalls('POST /api/token').length

  describe('the access token', () => {
    test('is requested once for concurrent calls and cached', async () => {
      await Promise.all(Array.from({ length: 10 }, () => readArtist(bench)))
      await readArtist(bench)
      expect(countTokenCalls()).toBe(1)
      expect(bench.listCalls(`GET ${artistPath}`)).toHaveLength(11)
      expect(bench.spotify.headers.at(-1)).toMatchObject({ 'x-request-id': 'request-1' })
    })

    test('is renewed before it expires', async () => {
      await readArtist(bench)
      bench.clock.advance(3200)
      await readArtist(bench)
      expect(countTokenCalls()).toBe(1)
      bench.clock.advance(300)
      await readArtist(bench)
      expect(countTokenCalls()).toBe(2)
    })

    test('is renewed once for all concurrent calls when Spotify rejects it', async () => {
      await readArtist(bench)
      bench.spotify.forgetTokens()
      await Promise.all(Array.from({ length: 5 }, () => readArtist(bench)))
      expect(countTokenCalls()).toBe(2)
      expect(bench.clock.pauses).toEqual([])
    })

    test('is not renewed a second time if the new token is rejected, too', async () => {
      bench.spotify.plan(artistPath, withStatus(401), 2)
      expect(await catchError(readArtist(bench))).toMatchObject({ kind: 'unauthorized', isRetryable: false })
      expect(countTokenCalls()).toBe(2)
    })

    test('reaches waiting calls even if the call that requested it is aborted', async () => {
      const tokenResponse = new Promise<ServerResponse>((resolve) => bench.spotify.plan('/api/token', resolve))
      const callerAbort = new AbortController()
      const abandoned = catchError(readArtist(bench, { ...bench.clock.call(), signal: callerAbort.signal }))
      const response = await tokenResponse
      const waitingRead = readArtist(bench)
      callerAbort.abort()
      expect(await abandoned).toMatchObject({ kind: 'timeout' })
      bench.spotify.sendToken(response)
      expect((await waitingRead).profileUrl).toContain('nova1')
      expect(countTokenCalls()).toBe(1)
    })

    test.each<[number, Record<string, string>, number[]]>([
      [429, { 'retry-after': '3' }, [3000]],
      [503, {}, [1000]],
    ])('is requested again after %i', async (status, headers, pauses) => {
      bench.spotify.plan('/api/token', withStatus(status, headers))
      await readArtist(bench)
      expect(bench.clock.pauses).toEqual(pauses)
    })

    test.each([{ access_token: '' }, { access_token: 'x', expires_in: 'soon' }, []])(
      'counts as unavailable if the response is %j',
      async (body) => {
        bench.spotify.plan('/api/token', withBody(body), 3)
        expect(await catchError(readArtist(bench))).toMatchObject({ kind: 'unavailable' })
      },
    )

    test('does not appear in any error, and neither does the client secret', async () => {
      const unauthorized = createSpotifyStreaming(
        { ...bench.spotify.options, clientSecret: 'wrong-secret' },
        bench.clock,
      )
      const refused = await catchError(readArtist({ ...bench, streaming: unauthorized }))
      expect(refused).toMatchObject({ kind: 'unauthorized' })
      await readArtist(bench)
      const token = bench.spotify.headers.at(-1)?.authorization?.replace('Bearer ', '') ?? ''
      bench.spotify.plan(artistPath, (response) => sendJson(response, 400, { error: { message: `no: ${token}` } }))
      const invalid = await catchError(readArtist(bench))
      expect(invalid).toMatchObject({ kind: 'invalid', message: 'Spotify responded with status 400: no: ***' })
      expect(token).toMatch(/^token-\d+$/)
      const unreachableOptions: SpotifyOptions = { ...bench.spotify.options, accountsUrl: 'http://127.0.0.1:1' }
      const faults = [
        refused,
        await catchError(readArtist({ ...bench, streaming: createSpotifyStreaming(unreachableOptions, bench.clock) })),
      ]
      for (const error of faults)
        expect(error instanceof Error ? error.stack : '').not.toMatch(/the-secret|wrong-secret|Basic/)
    })
  })

  describe('when it fails', () => {
    test('is retried after the stated time', async () => {
      bench.spotify.plan(artistPath, withStatus(429, { 'retry-after': '7' }))
      await readArtist(bench)
      expect(bench.clock.pauses).toEqual([7000])
    })

    test('is not retried beyond the deadline', async () => {
      bench.spotify.plan(artistPath, withStatus(429, { 'retry-after': '61' }))
      expect(await catchError(readArtist(bench))).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 61 })
      expect([bench.clock.pauses, bench.listCalls(`GET ${artistPath}`).length]).toEqual([[], 1])
    })

    test('receives no calls before the stated time has passed', async () => {
      bench.spotify.plan(artistPath, withStatus(429, { 'retry-after': '61' }))
      await catchError(readArtist(bench))
      bench.clock.advance(31)
      const search = bench.streaming.findByIsrc('QZABC0000001', bench.clock.call(29))
      expect(await catchError(search)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 30 })
      expect(bench.listCalls('GET')).toHaveLength(1)
      await bench.streaming.findByIsrc('QZABC0000001', bench.clock.call(40))
      expect([bench.clock.pauses, bench.listCalls('GET').length]).toEqual([[30_000], 2])
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
      bench.spotify.plan(artistPath, respond)
      expect((await readArtist(bench)).name).toMatch(/./)
      expect(bench.clock.pauses).toEqual([1000])
    })

    test('is called at most three times', async () => {
      bench.spotify.plan(artistPath, withStatus(500), 3)
      expect(await catchError(readArtist(bench))).toMatchObject({ kind: 'unavailable' })
      expect(bench.clock.pauses).toEqual([1000, 2000])
    })

    test.each([
      [400, 'Invalid market', 'invalid'],
      [400, 'Invalid base62 id', 'not_found'],
      [403, 'Forbidden', 'unauthorized'],
      [404, 'Resource not found', 'not_found'],
    ])('is not retried after %i %s', async (status, message, kind) => {
      bench.spotify.plan(artistPath, (response) => sendJson(response, status, { error: { status, message } }))
      expect(await catchError(readArtist(bench))).toMatchObject({ kind })
      expect(bench.listCalls(`GET ${artistPath}`)).toHaveLength(1)
    })
  })

  it('may send the reduced responses of development mode and unknown fields', async () => {
    const links = { spotify: 'https://open.spotify.com/artist/nova1' }
    bench.spotify.plan(
      artistPath,
      withBody({ name: 'Nul\u0000l', external_urls: links, popularity: 9, later: { x: [] } }),
    )
    expect(await readArtist(bench)).toEqual({
      name: 'Nul\uFFFDl',
      imageUrl: null,
      followers: null,
      profileUrl: links.spotify,
    })
    const minimalTrack = { id: 't1', name: 'T', album: { id: 'a1', name: 'A' }, artists: [] }
    bench.spotify.plan('/v1/tracks', withBody({ tracks: [minimalTrack, null] }))
    expect(await bench.streaming.getTracks(['t1', 't2'], bench.clock.call())).toEqual([
      { trackId: 't1', isrc: null, name: 'T', albumId: 'a1', album: 'A', artworkUrl: null, artists: [] },
    ])
    const release = { id: 'a1', name: 'A', album_type: 'compilation' }
    bench.spotify.plan(`${artistPath}/albums`, withBody({ items: [release], limit: 5, next: 'https://next' }))
    const first = { artistId: 'nova1', groups: ['album'] as const, cursor: '10' }
    expect(await bench.streaming.listReleases(first, bench.clock.call())).toEqual({
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
    bench.spotify.plan(`${artistPath}/albums`, withBody(page))
    const request = { artistId: 'nova1', groups: ['album'] as const, cursor: '5' }
    expect((await bench.streaming.listReleases(request, bench.clock.call())).next).toBeNull()
  })

  it('may return other tracks for an ISRC, which are ignored', async () => {
    const track = { id: 't1', name: 'T', album: { id: 'a1', name: 'A' }, artists: [] }
    const searchResult = (isrc: string) => ({ tracks: { items: [{ ...track, external_ids: { isrc } }] } })
    bench.spotify.plan('/v1/search', withBody(searchResult('QZABC0000002')))
    expect(await bench.streaming.findByIsrc('QZABC0000001', bench.clock.call())).toBeNull()
    bench.spotify.plan('/v1/search', withBody(searchResult('qz-abc-00-00001')))
    expect(await bench.streaming.findByIsrc('QZABC0000001', bench.clock.call())).toMatchObject({ trackId: 't1' })
    expect(bench.listCalls('GET /v1/search?q=isrc%3AQZABC0000001')).toHaveLength(2)
  })

  it('is not called with an invalid id or a cursor from another list', async () => {
    const releases = { groups: ['album'] as const, cursor: null }
    const invalidRequest = { artistId: '../me', ...releases }
    expect(await catchError(bench.streaming.getArtist('..', bench.clock.call()))).toMatchObject({ kind: 'not_found' })
    expect(await catchError(bench.streaming.listReleases(invalidRequest, bench.clock.call()))).toMatchObject({
      kind: 'not_found',
    })
    const foreignCursorRequest = { artistId: 'nova1', ...releases, cursor: '1&limit=50' }
    expect(await catchError(bench.streaming.listReleases(foreignCursorRequest, bench.clock.call()))).toMatchObject({
      kind: 'invalid',
    })
    expect(await bench.streaming.getAlbums(['a,b', 'a/b', ''], bench.clock.call())).toEqual([])
    expect(bench.spotify.calls).toEqual([])
  })
})
