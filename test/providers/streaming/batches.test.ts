import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import type { StreamingPort } from '../../../providers/streaming/index.ts'
import { sendJson } from '../vendors/http.ts'
import { catchError, readArtist, setUpSpotify, withBody, withStatus } from './bench.ts'

const bench = setUpSpotify()

/** Counts requests of batches and of pages of fifty. */
const countWideRequests = () => bench.spotify.calls.filter((each) => /\?ids=|limit=50/.test(each)).length

describe('an application that may not read batches of albums', () => {
  const albumIds = Array.from({ length: 12 }, (_, index) => `a${String(index + 1).padStart(3, '0')}releases12`)
  const trackIds = albumIds.map((id) => `t${id.slice(1, 4)}01releases12`)

  /** Delays single reads of albums until `release`. Returns the waiting reads in order of arrival. */
  const holdSingles = () => {
    const heldReads: { response: ServerResponse; release: () => void }[] = []
    for (const id of albumIds)
      bench.spotify.plan(`/v1/albums/${id}`, (response) =>
        heldReads.push({ response, release: () => sendJson(response, 200, { id, name: 'A' }) }),
      )
    return heldReads
  }

  test.each([403, 404] as const)('reads albums one by one if batches are rejected with %i', async (status) => {
    bench.spotify.restrict(status)
    const albums = await bench.streaming.getAlbums([...albumIds, 'unknown1', 'malformed'], bench.clock.call())
    expect(albums.map(({ albumId }) => albumId)).toEqual(albumIds)
    const tracks = await bench.streaming.getTracks(trackIds, bench.clock.call())
    expect(tracks.map(({ trackId }) => trackId)).toEqual(trackIds)
    expect(countWideRequests()).toBe(1)
  })

  test('reads four albums at a time', async () => {
    bench.spotify.restrict(403)
    const heldReads = holdSingles()
    const reading = bench.streaming.getAlbums(albumIds, bench.clock.call())
    for (let round = 0; round < 3; round++) {
      await vi.waitFor(() => expect(heldReads.length).toBeGreaterThanOrEqual(4), { interval: 1 })
      // When this request has completed, earlier requests have arrived as well.
      await readArtist(bench)
      expect(heldReads).toHaveLength(4)
      for (const { release } of heldReads.splice(0)) release()
    }
    expect(await reading).toHaveLength(12)
  })

  test('tries a batch again after an hour', async () => {
    bench.spotify.restrict(403)
    await bench.streaming.getAlbums(albumIds, bench.clock.call())
    bench.spotify.restrict(undefined)
    bench.clock.advance(3601)
    bench.spotify.forgetCalls()
    await bench.streaming.getAlbums(albumIds, bench.clock.call())
    expect(bench.listCalls('GET')).toEqual([expect.stringContaining('?ids=')])
  })

  test('lists releases in pages of ten', async () => {
    bench.spotify.restrict(403)
    const ids: string[] = []
    for (let cursor: string | null = '0'; cursor !== null;) {
      const request = { artistId: 'releases25', groups: ['album'] as const, cursor }
      const page: Awaited<ReturnType<StreamingPort['listReleases']>> = await bench.streaming.listReleases(
        request,
        bench.clock.call(),
      )
      ids.push(...page.items.map(({ albumId }) => albumId))
      cursor = page.next
    }
    expect(new Set(ids).size).toBe(25)
    expect([countWideRequests(), bench.listCalls('GET /v1/artists').length]).toEqual([1, 4])
  })

  test('fails the whole request if one read fails, and starts no further reads', async () => {
    bench.spotify.restrict(403)
    const heldReads = holdSingles()
    const failing = catchError(bench.streaming.getAlbums(albumIds, bench.clock.call()))
    await vi.waitFor(() => expect(heldReads).toHaveLength(4), { interval: 1 })
    const [first, ...others] = heldReads.splice(0)
    if (first !== undefined) withStatus(403)(first.response)
    expect(await failing).toMatchObject({ kind: 'unauthorized' })
    for (const { release } of others) release()
    for (let roundTrip = 0; roundTrip < 3; roundTrip++) await readArtist(bench)
    expect(heldReads).toEqual([])
  })
})

test('a malformed id is omitted, and later requests still read batches', async () => {
  const ids = ['a001releases2', 'malformed', 'a002releases2']
  const albums = await bench.streaming.getAlbums(ids, bench.clock.call())
  expect(albums.map(({ albumId }) => albumId)).toEqual(['a001releases2', 'a002releases2'])
  bench.spotify.forgetCalls()
  await bench.streaming.getAlbums(['a001releases2', 'a002releases2'], bench.clock.call())
  expect(bench.listCalls('GET')).toHaveLength(1)
})

test('a batch of albums with all their markets is small enough to be read', async () => {
  const markets = Array.from({ length: 185 }, () => 'US')
  const tracks = { items: Array.from({ length: 50 }, () => ({ available_markets: markets })) }
  const albums = Array.from({ length: 20 }, (_, index) => ({ id: `a${index}`, name: 'A', tracks }))
  bench.spotify.plan('/v1/albums', withBody({ albums }))
  expect(
    await bench.streaming.getAlbums(
      albums.map(({ id }) => id),
      bench.clock.call(),
    ),
  ).toHaveLength(20)
  expect(bench.clock.pauses).toEqual([])
})
