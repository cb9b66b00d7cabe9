import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePeople } from '../artists/artists.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { addCounts, makeSnapshot, platformSong, storeSongs } from './catalogs.ts'

type Band = { low: number; mid: number; high: number }
type Body = {
  catalog: { id: string }
  measurements: { isrc: string; title: string; playcount: number; measured_at: string; plays_gained?: number | null }[]
  pagination: object
  measured_song_count: number
  total_streams: number
  catalog_age_years: number
  valuation: Band | null
  artist_account_id: string | null
  valuations: (Band & { measured_song_count: number; total_streams: number })[]
}

let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount

beforeAll(async () => {
  world = await createWorld({ worker: false })
  ;({ owner, colleague, outsider } = await makePeople(world))
})
afterAll(() => world.close())

const read = ({ key }: TestAccount, catalogId: string, query = '') =>
  world.request<Body>('GET', `/api/catalogs/${catalogId}/measurements${query}`, { key })
const history = ({ key }: TestAccount, catalogId: string) =>
  world.request<Body>('GET', `/api/catalogs/${catalogId}/valuations`, { key })

const [may, june] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')]

/** Creates a catalog of three songs. Two have a count in May; one of these has another count in June. */
const createMeasuredCatalog = async (earliestRelease: string | null = null) => {
  const artists = [{ id: 'twice', name: 'Twice' }]
  const songs = [platformSong({ artists }), platformSong({ artists }), platformSong()]
  await storeSongs(world, songs)
  const [first = '', second = '', third = ''] = songs.map(({ isrc }) => isrc)
  const counts = [first, second].map((isrc) => ({ isrc, playCount: 1_000_000 }))
  const snapshot = await makeSnapshot(world, owner.id, { counts, capturedAt: may, earliestRelease })
  const made = await world.request<Body>('POST', '/api/catalogs', { key: owner.key, body: { snapshot } })
  const { id } = made.body.catalog
  await world.db`insert into catalog_songs (catalog_id, isrc) values (${id}, ${third})`
  await addCounts(world, snapshot, [{ isrc: second, playCount: 1_500_000 }], june)
  return { id, snapshot, first, second, third }
}

describe('GET /api/catalogs/{id}/measurements', () => {
  test('shows the latest count of each song and the value of all of them', async () => {
    const { id, first, second } = await createMeasuredCatalog()
    const { body } = await read(owner, id, '?limit=1')
    expect(body).toEqual({
      status: 'success',
      measurements: [{ isrc: second, title: `Song ${second}`, playcount: 1_500_000, measured_at: june.toISOString() }],
      pagination: { total_count: 2, page: 1, limit: 1, total_pages: 2 },
      measured_song_count: 2,
      total_streams: 2_500_000,
      catalog_age_years: 5,
      valuation: { low: 13_945.31, mid: 20_304.38, high: 28_560 },
      artist_account_id: null,
    })
    expect((await read(owner, id, '?limit=1&page=2')).body.measurements).toMatchObject([{ isrc: first }])
    const afterLastPage = await read(owner, id, '?page=9')
    expect(afterLastPage.body).toMatchObject({ measurements: [], total_streams: 2_500_000 })
  })

  test('counts the age from the earliest release of the newest snapshot', async () => {
    const year = new Date().getUTCFullYear() - 10
    const { id } = await createMeasuredCatalog(`${year}-${new Date().toISOString().slice(5, 7)}-01`)
    expect((await read(owner, id)).body).toMatchObject({ catalog_age_years: 10, valuation: { low: 6972.66 } })
    await makeSnapshot(world, owner.id, { catalogId: id, state: 'failed', earliestRelease: '1990-01-01' })
    expect((await read(owner, id)).body.catalog_age_years).toBe(10)
    await makeSnapshot(world, owner.id, { catalogId: id, earliestRelease: null })
    expect((await read(owner, id)).body.catalog_age_years).toBe(5)
  })

  test('shows the gain of each song with `since`', async () => {
    const { id, snapshot, first, second, third } = await createMeasuredCatalog()
    await addCounts(world, snapshot, [{ isrc: first, playCount: 999_000 }], june)
    await addCounts(world, snapshot, [{ isrc: third, playCount: 5 }], june)
    const { body } = await read(owner, id, `?since=${may.toISOString()}`)
    expect(body.measurements.map(({ isrc, plays_gained }) => [isrc, plays_gained])).toEqual([
      [second, 500_000],
      [first, -1000],
      [third, null],
    ])
    expect((await read(owner, id, '?since=yesterday')).status).toBe(400)
  })

  test('can be limited to one artist of the catalog', async () => {
    const { id } = await createMeasuredCatalog()
    const { id: other, first } = await createMeasuredCatalog()
    const [twice] = await world.db<{ id: string }[]>`select id from accounts where name = 'Twice' limit 1`
    const artistId = twice?.id ?? ''
    expect((await read(owner, id, `?artist_account_id=${artistId}`)).body).toMatchObject({
      measured_song_count: 2,
      artist_account_id: artistId,
    })
    const otherArtist = await world.makeArtist()
    await world.db`insert into song_artists (isrc, artist_id, catalog_id) values (${first}, ${otherArtist.id}, ${id})`
    expect((await read(owner, other, `?artist_account_id=${otherArtist.id}`)).body).toMatchObject({
      measurements: [],
      total_streams: 0,
      valuation: null,
    })
  })

  test('is exact for sums beyond 2^53', async () => {
    const snapshot = await makeSnapshot(world, owner.id)
    await world.db`insert into songs (isrc) select 'ZA' || lpad(at::text, 10, '0') from generate_series(1, 9008) at`
    await world.db`
      with measured as (
        insert into song_measurements (isrc, platform, metric, value, captured_at, data_source, snapshot_id)
        select isrc, 'STREAMING', 'platform_displayed_play_count', case when isrc = 'ZA0000000001' then 1 else 1e12 end,
          now(), 'test', ${snapshot} from songs where isrc like 'ZA%'
        returning isrc, platform, metric, value, captured_at
      )
      insert into latest_measurements (isrc, platform, metric, value, captured_at) select * from measured`
    const { body } = await world.request<Body>('POST', '/api/catalogs', { key: owner.key, body: { snapshot } })
    const response = await read(owner, body.catalog.id, '?limit=1')
    expect(response.body.total_streams).toBe(9_007_000_000_000_001)
    // 9007000000000001 streams over 5 years at 0.05712, 0.04060875 and 0.027890625 USD.
    expect(response.text).toContain('"high":102895968000000.02')
    const [row] = await world.db`select high::text, total_streams::text as streams from catalog_valuations
      where catalog_id = ${body.catalog.id}`
    expect(row).toEqual({ high: '102895968000000.01', streams: '9007000000000001' })
  })

  test('stores one history row a day, even for parallel requests', async () => {
    const { id } = await createMeasuredCatalog()
    await read(owner, id, `?artist_account_id=${outsider.id}`)
    expect((await history(owner, id)).body.valuations).toEqual([])
    await Promise.all(Array.from({ length: 10 }, () => read(owner, id)))
    const { body } = await history(owner, id)
    expect(body.valuations).toMatchObject([{ low: 13_945.31, measured_song_count: 2, total_streams: 2_500_000 }])
    await world.db`update catalog_valuations set measured_at = now() - interval '1 day',
      measured_on = measured_on - 1 where catalog_id = ${id}`
    await read(owner, id)
    expect((await history(owner, id)).body.valuations).toHaveLength(2)
  })

  test('requires access to the catalog', async () => {
    const { id } = await createMeasuredCatalog()
    const unknownId = '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a'
    for (const fetchPage of [read, history]) {
      expect((await fetchPage(outsider, id)).status).toBe(403)
      expect((await fetchPage(outsider, unknownId)).status).toBe(404)
    }
    expect((await read(colleague, id)).status).toBe(403)
    expect((await read(colleague, id, `?account_id=${owner.id}`)).status).toBe(200)
    expect((await read(outsider, id, `?account_id=${owner.id}`)).status).toBe(403)
  })
})

describe('GET /api/artists/{id}/profile', () => {
  test('shows shared facts and the songs in visible catalogs, with their plays and estimated value', async () => {
    const song = platformSong({ artists: [{ id: 'shown', name: 'Shown' }], artworkUrl: 'https://i.test/a.jpg' })
    await storeSongs(world, [song])
    const { isrc } = song
    const snapshot = await makeSnapshot(world, owner.id, { counts: [{ isrc, playCount: 50_000_000 }] })
    const made = await world.request<Body>('POST', '/api/catalogs', { key: owner.key, body: { snapshot } })
    const [artist] = await world.db<{ id: string }[]>`select id from accounts where name = 'Shown'`
    const path = `/api/artists/${artist?.id}/profile`
    await world.db`update catalog_songs set name = 'Secret' where isrc = ${isrc}`
    await world.request('PATCH', `/api/artists/${artist?.id}`, { key: owner.key, body: { name: 'Private name' } })
    const response = await world.request('GET', path, { key: owner.key })
    expect(response.body).toEqual({
      status: 'success',
      profile: {
        id: artist?.id,
        name: 'Shown',
        image: null,
        followers: null,
        links: [{ type: 'STREAMING', url: expect.stringContaining('/artist/shown') }],
        catalogs: [
          {
            id: made.body.catalog.id,
            name: 'Shown',
            songs: [
              {
                isrc,
                name: song.name,
                album: song.album,
                artwork_url: 'https://i.test/a.jpg',
                plays: 50_000_000,
                estimate: 406_087.5,
              },
            ],
          },
        ],
      },
      pagination: { total_count: 1, page: 1, limit: 50, total_pages: 1 },
    })
    expect((await world.request('GET', path, { key: outsider.key })).status).toBe(403)
    await world.request('POST', '/api/accounts/artists', { key: outsider.key, body: { artist_id: artist?.id } })
    expect((await world.request('GET', path, { key: outsider.key })).body).toMatchObject({ profile: { catalogs: [] } })
  })
})
