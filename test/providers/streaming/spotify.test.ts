import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { ProviderCall } from '../../../providers/call.ts'
import { createEmbeddedStreaming } from '../../../providers/streaming/embedded/index.ts'
import type { StreamingPort } from '../../../providers/streaming/index.ts'
import { createSpotifyStreaming, type SpotifyOptions } from '../../../providers/streaming/spotify/index.ts'
import { answer } from '../vendors/http.ts'
import { playSpotify } from '../vendors/spotify.ts'
import { describeStreaming } from './contract.ts'

/** Time that only pauses and the test move on. */
const createClock = () => {
  let now = Date.now()
  const pauses: number[] = []
  return {
    now: () => now,
    pause: async (ms: number) => {
      pauses.push(ms)
      now += ms
    },
    pauses,
    pass: (seconds: number) => {
      now += seconds * 1000
    },
    call: (seconds = 60): ProviderCall => ({ deadline: new Date(now + seconds * 1000), requestId: 'request-1' }),
  }
}

const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
const withStatus =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    answer(response, status, { error: { status, message: 'planned' } })
  }
const withBody = (body: unknown) => (response: ServerResponse) => answer(response, 200, body)
const cut = (text: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write(text, () => response.destroy())
}

describeStreaming('the embedded platform', async () => ({
  streaming: createEmbeddedStreaming({ host: 'open.spotify.com' }),
  call: createClock().call,
  close: async () => {},
}))

describeStreaming('Spotify', async () => {
  const spotify = await playSpotify()
  const clock = createClock()
  const streaming = createSpotifyStreaming(spotify.options, clock)
  const call = (): ProviderCall => {
    // Behind every pause that the call before was asked for.
    clock.pass(10)
    return clock.call()
  }
  return { streaming, call, close: spotify.close }
})

describe('Spotify', () => {
  let spotify: Awaited<ReturnType<typeof playSpotify>>
  let clock: ReturnType<typeof createClock>
  let streaming: StreamingPort
  beforeAll(async () => {
    spotify = await playSpotify()
  })
  afterAll(() => spotify.close())
  beforeEach(() => {
    clock = createClock()
    streaming = createSpotifyStreaming(spotify.options, clock)
    spotify.forgetCalls()
  })
  afterEach(() => spotify.restrict(undefined))

  const artistPath = '/v1/artists/nova1'
  /** Requests of batches, and of pages of fifty. */
  const wide = () => spotify.calls.filter((each) => /\?ids=|limit=50/.test(each)).length
  const tokenCalls = () => spotify.calls.filter((each) => each === 'POST /api/token').length
  const callsOf = (start: string) => spotify.calls.filter((each) => each.startsWith(start))
  const readArtist = (call = clock.call(), port = streaming) => port.getArtist('nova1', call)

  describe('its token', () => {
    test('is asked for once by parallel calls, and kept', async () => {
      await Promise.all(Array.from({ length: 10 }, () => readArtist()))
      await readArtist()
      expect(tokenCalls()).toBe(1)
      expect(callsOf(`GET ${artistPath}`)).toHaveLength(11)
      expect(spotify.headers.at(-1)).toMatchObject({ 'x-request-id': 'request-1' })
    })

    test('is renewed before it ends', async () => {
      await readArtist()
      clock.pass(3200)
      await readArtist()
      expect(tokenCalls()).toBe(1)
      clock.pass(300)
      await readArtist()
      expect(tokenCalls()).toBe(2)
    })

    test('is renewed once for all calls when it is refused', async () => {
      await readArtist()
      spotify.forgetTokens()
      await Promise.all(Array.from({ length: 5 }, () => readArtist()))
      expect(tokenCalls()).toBe(2)
      expect(clock.pauses).toEqual([])
    })

    test('is not renewed again when the new one is refused as well', async () => {
      spotify.plan(artistPath, withStatus(401), 2)
      expect(await faultOf(readArtist())).toMatchObject({ kind: 'unauthorized', isRetryable: false })
      expect(tokenCalls()).toBe(2)
    })

    test('is awaited by others when the call that asked for it has ended', async () => {
      const held = new Promise<ServerResponse>((resolve) => spotify.plan('/api/token', resolve))
      const leaving = new AbortController()
      const left = faultOf(readArtist({ ...clock.call(), signal: leaving.signal }))
      const response = await held
      const stays = readArtist()
      leaving.abort()
      expect(await left).toMatchObject({ kind: 'timeout' })
      spotify.giveToken(response)
      expect((await stays).profileUrl).toContain('nova1')
      expect(tokenCalls()).toBe(1)
    })

    test.each<[number, Record<string, string>, number[]]>([
      [429, { 'retry-after': '3' }, [3000]],
      [503, {}, [1000]],
    ])('is asked for again after %i', async (status, headers, pauses) => {
      spotify.plan('/api/token', withStatus(status, headers))
      await readArtist()
      expect(clock.pauses).toEqual(pauses)
    })

    test.each([{ access_token: '' }, { access_token: 'x', expires_in: 'soon' }, []])(
      'is none in the shape %j',
      async (body) => {
        spotify.plan('/api/token', withBody(body), 3)
        expect(await faultOf(readArtist())).toMatchObject({ kind: 'unavailable' })
      },
    )

    test('and the secret are in no message', async () => {
      const wrong = createSpotifyStreaming({ ...spotify.options, clientSecret: 'wrong-secret' }, clock)
      const refused = await faultOf(readArtist(clock.call(), wrong))
      expect(refused).toMatchObject({ kind: 'unauthorized' })
      await readArtist()
      const token = spotify.headers.at(-1)?.authorization?.replace('Bearer ', '') ?? ''
      spotify.plan(artistPath, (response) => answer(response, 400, { error: { message: `no: ${token}` } }))
      const invalid = await faultOf(readArtist())
      expect(invalid).toMatchObject({ kind: 'invalid', message: 'Spotify answered 400: no: ***' })
      expect(token).toMatch(/^token-\d+$/)
      const away: SpotifyOptions = { ...spotify.options, accountsUrl: 'http://127.0.0.1:1' }
      const faults = [refused, await faultOf(readArtist(clock.call(), createSpotifyStreaming(away, clock)))]
      for (const fault of faults)
        expect(fault instanceof Error ? fault.stack : '').not.toMatch(/the-secret|wrong-secret|Basic/)
    })
  })

  describe('when it fails', () => {
    test('waits for as long as it asks', async () => {
      spotify.plan(artistPath, withStatus(429, { 'retry-after': '7' }))
      await readArtist()
      expect(clock.pauses).toEqual([7000])
    })

    test('does not wait beyond the deadline', async () => {
      spotify.plan(artistPath, withStatus(429, { 'retry-after': '61' }))
      expect(await faultOf(readArtist())).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 61 })
      expect([clock.pauses, callsOf(`GET ${artistPath}`).length]).toEqual([[], 1])
    })

    test('is left alone by all calls until the pause is over', async () => {
      spotify.plan(artistPath, withStatus(429, { 'retry-after': '61' }))
      await faultOf(readArtist())
      clock.pass(31)
      const search = streaming.findByIsrc('QZABC0000001', clock.call(29))
      expect(await faultOf(search)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 30 })
      expect(callsOf('GET')).toHaveLength(1)
      await streaming.findByIsrc('QZABC0000001', clock.call(40))
      expect([clock.pauses, callsOf('GET').length]).toEqual([[30_000], 2])
    })

    test.each<[string, (response: ServerResponse) => void]>([
      ['a status of 500', withStatus(500)],
      ['a status of 503', withStatus(503)],
      ['a redirect', withStatus(302, { location: 'https://elsewhere.example' })],
      ['a cut connection', (response) => response.destroy()],
      ['a cut body', cut('{"name":"N')],
      ['a body that is not JSON', (response) => response.end('<html>')],
      ['a body of more than 10 MB', (response) => response.end(`"${'x'.repeat(10 * 1024 * 1024)}"`)],
      ['no name', withBody({ external_urls: { spotify: 'https://x' } })],
      ['a name that is no text', withBody({ name: 1, external_urls: { spotify: 'https://x' } })],
      ['a list', withBody([])],
    ])('asks again after %s', async (_, respond) => {
      spotify.plan(artistPath, respond)
      expect((await readArtist()).name).toMatch(/./)
      expect(clock.pauses).toEqual([1000])
    })

    test('gives up at the third time', async () => {
      spotify.plan(artistPath, withStatus(500), 3)
      expect(await faultOf(readArtist())).toMatchObject({ kind: 'unavailable' })
      expect(clock.pauses).toEqual([1000, 2000])
    })

    test.each([
      [400, 'Invalid market', 'invalid'],
      [400, 'Invalid base62 id', 'not_found'],
      [403, 'Forbidden', 'unauthorized'],
      [404, 'Resource not found', 'not_found'],
    ])('does not ask again after %i %s', async (status, message, kind) => {
      spotify.plan(artistPath, (response) => answer(response, status, { error: { status, message } }))
      expect(await faultOf(readArtist())).toMatchObject({ kind })
      expect(callsOf(`GET ${artistPath}`)).toHaveLength(1)
    })
  })

  it('reads what development mode leaves of an answer, and ignores what it does not know', async () => {
    const links = { spotify: 'https://open.spotify.com/artist/nova1' }
    spotify.plan(artistPath, withBody({ name: 'Nul\u0000l', external_urls: links, popularity: 9, later: { x: [] } }))
    expect(await readArtist()).toEqual({
      name: 'Nul\uFFFDl',
      imageUrl: null,
      followers: null,
      profileUrl: links.spotify,
    })
    const bare = { id: 't1', name: 'T', album: { id: 'a1', name: 'A' }, artists: [] }
    spotify.plan('/v1/tracks', withBody({ tracks: [bare, null] }))
    expect(await streaming.getTracks(['t1', 't2'], clock.call())).toEqual([
      { trackId: 't1', isrc: null, name: 'T', albumId: 'a1', album: 'A', artworkUrl: null, artists: [] },
    ])
    const release = { id: 'a1', name: 'A', album_type: 'compilation' }
    spotify.plan(`${artistPath}/albums`, withBody({ items: [release], limit: 5, next: 'https://next' }))
    const first = { artistId: 'nova1', groups: ['album'] as const, cursor: '10' }
    expect(await streaming.listReleases(first, clock.call())).toEqual({
      items: [{ albumId: 'a1', name: 'A', type: 'album', releaseDate: null, trackCount: null }],
      next: '15',
    })
  })

  it('takes a found track only for the code that was asked for', async () => {
    const track = { id: 't1', name: 'T', album: { id: 'a1', name: 'A' }, artists: [] }
    const found = (isrc: string) => ({ tracks: { items: [{ ...track, external_ids: { isrc } }] } })
    spotify.plan('/v1/search', withBody(found('QZABC0000002')))
    expect(await streaming.findByIsrc('QZABC0000001', clock.call())).toBeNull()
    spotify.plan('/v1/search', withBody(found('qz-abc-00-00001')))
    expect(await streaming.findByIsrc('QZABC0000001', clock.call())).toMatchObject({ trackId: 't1' })
    expect(callsOf('GET /v1/search?q=isrc%3AQZABC0000001')).toHaveLength(2)
  })

  it('is not asked about what is no id, or with a cursor that is not ours', async () => {
    const releases = { groups: ['album'] as const, cursor: null }
    const odd = { artistId: '../me', ...releases }
    expect(await faultOf(streaming.getArtist('..', clock.call()))).toMatchObject({ kind: 'not_found' })
    expect(await faultOf(streaming.listReleases(odd, clock.call()))).toMatchObject({ kind: 'not_found' })
    const lost = { artistId: 'nova1', ...releases, cursor: '1&limit=50' }
    expect(await faultOf(streaming.listReleases(lost, clock.call()))).toMatchObject({ kind: 'invalid' })
    expect(await streaming.getAlbums(['a,b', 'a/b', ''], clock.call())).toEqual([])
    expect(spotify.calls).toEqual([])
  })

  describe('an application that may not read batches', () => {
    const albumIds = Array.from({ length: 12 }, (_, index) => `a${String(index + 1).padStart(3, '0')}releases12`)
    const trackIds = albumIds.map((id) => `t${id.slice(1, 4)}01releases12`)

    test.each([403, 404] as const)('reads one by one where batches are refused with %i', async (status) => {
      spotify.restrict(status)
      const albums = await streaming.getAlbums([...albumIds, 'unknown1', 'malformed'], clock.call())
      expect(albums.map(({ albumId }) => albumId)).toEqual(albumIds)
      const tracks = await streaming.getTracks(trackIds, clock.call())
      expect(tracks.map(({ trackId }) => trackId)).toEqual(trackIds)
      expect(wide()).toBe(1)
    })

    test('reads four at a time', async () => {
      spotify.restrict(403)
      const held: (() => void)[] = []
      for (const id of albumIds)
        spotify.plan(`/v1/albums/${id}`, (response) => held.push(() => answer(response, 200, { id, name: 'A' })))
      const reading = streaming.getAlbums(albumIds, clock.call())
      for (let round = 0; round < 3; round++) {
        await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(4), { interval: 1 })
        // What was sent beside them has arrived when this has.
        await readArtist()
        expect(held).toHaveLength(4)
        for (const release of held.splice(0)) release()
      }
      expect(await reading).toHaveLength(12)
    })

    test('tries a batch again after an hour', async () => {
      spotify.restrict(403)
      await streaming.getAlbums(albumIds, clock.call())
      spotify.restrict(undefined)
      clock.pass(3601)
      spotify.forgetCalls()
      await streaming.getAlbums(albumIds, clock.call())
      expect(callsOf('GET')).toEqual([expect.stringContaining('?ids=')])
    })

    test('has pages of ten', async () => {
      spotify.restrict(403)
      const ids: string[] = []
      for (let cursor: string | null = '0'; cursor !== null;) {
        const asked = { artistId: 'releases25', groups: ['album'] as const, cursor }
        const page: Awaited<ReturnType<StreamingPort['listReleases']>> = await streaming.listReleases(
          asked,
          clock.call(),
        )
        ids.push(...page.items.map(({ albumId }) => albumId))
        cursor = page.next
      }
      expect(new Set(ids).size).toBe(25)
      expect([wide(), callsOf('GET /v1/artists').length]).toEqual([1, 4])
    })

    test('fails as a whole where one read fails, and leaves the rest', async () => {
      spotify.restrict(403)
      const failing = `/v1/tracks/${trackIds[0]}`
      spotify.plan(failing, withStatus(403))
      expect(await faultOf(streaming.getTracks(trackIds, clock.call()))).toMatchObject({ kind: 'unauthorized' })
      expect(callsOf('GET /v1/tracks/').length).toBeLessThan(trackIds.length)
    })
  })

  test('a malformed id costs its batch only', async () => {
    const ids = ['a001releases2', 'malformed', 'a002releases2']
    const albums = await streaming.getAlbums(ids, clock.call())
    expect(albums.map(({ albumId }) => albumId)).toEqual(['a001releases2', 'a002releases2'])
    spotify.forgetCalls()
    await streaming.getAlbums(['a001releases2', 'a002releases2'], clock.call())
    expect(callsOf('GET')).toHaveLength(1)
  })

  test('reads an album batch in which all markets are named', async () => {
    const markets = Array.from({ length: 185 }, () => 'US')
    const tracks = { items: Array.from({ length: 50 }, () => ({ available_markets: markets })) }
    const albums = Array.from({ length: 20 }, (_, index) => ({ id: `a${index}`, name: 'A', tracks }))
    spotify.plan('/v1/albums', withBody({ albums }))
    expect(
      await streaming.getAlbums(
        albums.map(({ id }) => id),
        clock.call(),
      ),
    ).toHaveLength(20)
  })
})
