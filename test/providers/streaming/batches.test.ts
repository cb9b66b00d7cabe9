import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import type { StreamingPort } from '../../../providers/streaming/index.ts'
import { sendJson } from '../vendors/http.ts'
import { catchError, readArtist, setUpSpotify, withBody, withStatus } from './spotify-fixture.ts'

const fixture = setUpSpotify()

/** Counts requests of batches and of pages of fifty. */
const countWideRequests = () => fixture.spotify.calls.filter((call) => /\?ids=|limit=50/.test(call)).length

describe('an application that may not read batches of albums', () => {
  const albumIds = Array.from({ length: 12 }, (_, index) => `a${String(index + 1).padStart(3, '0')}releases12`)
  const trackIds = albumIds.map((id) => `t${id.slice(1, 4)}01releases12`)

  /** Delays single reads of albums until `release`. Returns the waiting reads in order of arrival. */
  const holdSingles = () => {
    const heldReads: { response: ServerResponse; release: () => void }[] = []
    for (const id of albumIds)
      fixture.spotify.plan(`/v1/albums/${id}`, (response) =>
        heldReads.push({ response, release: () => sendJson(response, 200, { id, name: 'A' }) }),
      )
    return heldReads
  }

  test.each([403, 404] as const)('reads albums one by one if batches are rejected with %i', async (status) => {
    fixture.spotify.restrict(status)
    const albums = await fixture.streaming.getAlbums([...albumIds, 'unknown1', 'malformed'], fixture.clock.call())
    expect(albums.map(({ albumId }) => albumId)).toEqual(albumIds)
    const tracks = await fixture.streaming.getTracks(trackIds, fixture.clock.call())
    expect(tracks.map(({ trackId }) => trackId)).toEqual(trackIds)
    expect(countWideRequests()).toBe(1)
  })

  test('reads four albums at a time', async () => {
    fixture.spotify.restrict(403)
    const heldReads = holdSingles()
    const reading = fixture.streaming.getAlbums(albumIds, fixture.clock.call())
    for (let round = 0; round < 3; round++) {
      await vi.waitFor(() => expect(heldReads.length).toBeGreaterThanOrEqual(4), { interval: 1 })
      // When this request has completed, earlier requests have arrived as well.
      await readArtist(fixture)
      expect(heldReads).toHaveLength(4)
      for (const { release } of heldReads.splice(0)) release()
    }
    expect(await reading).toHaveLength(12)
  })

  test('tries a batch again after an hour', async () => {
    fixture.spotify.restrict(403)
    await fixture.streaming.getAlbums(albumIds, fixture.clock.call())
    fixture.spotify.restrict(undefined)
    fixture.clock.advance(3601)
    fixture.spotify.forgetCalls()
    await fixture.streaming.getAlbums(albumIds, fixture.clock.call())
    expect(fixture.listCalls('GET')).toEqual([expect.stringContaining('?ids=')])
  })

  test('lists releases in pages of ten', async () => {
    fixture.spotify.restrict(403)
    const ids: string[] = []
    for (let cursor: string | null = '0'; cursor !== null;) {
      const request = { artistId: 'releases25', groups: ['album'] as const, cursor }
      const page: Awaited<ReturnType<StreamingPort['listReleases']>> = await fixture.streaming.listReleases(
        request,
        fixture.clock.call(),
      )
      ids.push(...page.items.map(({ albumId }) => albumId))
      cursor = page.next
    }
    expect(new Set(ids).size).toBe(25)
    expect([countWideRequests(), fixture.listCalls('GET /v1/artists').length]).toEqual([1, 4])
  })

  test('fails the whole request if one read fails, and starts no further reads', async () => {
    fixture.spotify.restrict(403)
    const heldReads = holdSingles()
    const failing = catchError(fixture.streaming.getAlbums(albumIds, fixture.clock.call()))
    await vi.waitFor(() => expect(heldReads).toHaveLength(4), { interval: 1 })
    const [first, ...others] = heldReads.splice(0)
    if (first !== undefined) withStatus(403)(first.response)
    expect(await failing).toMatchObject({ kind: 'unauthorized' })
    for (const { release } of others) release()
    for (let roundTrip = 0; roundTrip < 3; roundTrip++) await readArtist(fixture)
    expect(heldReads).toEqual([])
  })
})

test('a malformed id is omitted, and later requests still read batches', async () => {
  const ids = ['a001releases2', 'malformed', 'a002releases2']
  const albums = await fixture.streaming.getAlbums(ids, fixture.clock.call())
  expect(albums.map(({ albumId }) => albumId)).toEqual(['a001releases2', 'a002releases2'])
  fixture.spotify.forgetCalls()
  await fixture.streaming.getAlbums(['a001releases2', 'a002releases2'], fixture.clock.call())
  expect(fixture.listCalls('GET')).toHaveLength(1)
})

test('a batch of albums with all their markets is small enough to be read', async () => {
  const markets = Array.from({ length: 185 }, () => 'US')
  const tracks = { items: Array.from({ length: 50 }, () => ({ available_markets: markets })) }
  const albums = Array.from({ length: 20 }, (_, index) => ({ id: `a${index}`, name: 'A', tracks }))
  fixture.spotify.plan('/v1/albums', withBody({ albums }))
  expect(
    await fixture.streaming.getAlbums(
      albums.map(({ id }) => id),
      fixture.clock.call(),
    ),
  ).toHaveLength(20)
  expect(fixture.clock.pauses).toEqual([])
})
