import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePeople } from '../artists/artists.ts'
import { createWorld, type Sent, type TestAccount, type World } from '../world/world.ts'
import { makeSnapshot, platformSong, storeSongs } from './catalogs.ts'

type Catalog = { id: string; name: string }
type Body = {
  catalog: Catalog
  catalogs: (Catalog & Record<string, unknown>)[]
  songs_added: number
  released_snapshot_ids: string[]
  missing_fields: unknown[]
}

let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
let organization: { id: string }

beforeAll(async () => {
  world = await createWorld({ worker: false })
  ;({ owner, colleague, outsider, organization } = await makePeople(world))
})
afterAll(() => world.close())

const create = (sent: Sent, body: object) => world.request<Body>('POST', '/api/catalogs', { ...sent, body })
const list = (sent: Sent, query = '') => world.request<Body>('GET', `/api/catalogs${query}`, sent)
const listIds = async (sent: Sent, query = '') => (await list(sent, query)).body.catalogs.map(({ id }) => id)

describe('POST /api/catalogs', () => {
  test('creates an empty catalog of the caller or of an organization', async () => {
    const ownCatalog = await create({ key: owner.key }, { name: '  Demos ' })
    expect(ownCatalog).toMatchObject({ status: 200, body: { catalog: { name: 'Demos' }, songs_added: 0 } })
    const shared = await create({ key: owner.key }, { name: 'Shared', organization_id: organization.id })
    expect(await listIds({ key: colleague.key })).toEqual([shared.body.catalog.id])
    expect(await listIds({ key: owner.key })).toEqual([shared.body.catalog.id, ownCatalog.body.catalog.id])
    expect(await listIds({ key: outsider.key })).toEqual([])
  })

  test('requires a name or a completed snapshot of the caller', async () => {
    const mine = await makeSnapshot(world, owner.id, { state: 'running' })
    const other = await makeSnapshot(world, outsider.id, { state: 'running' })
    const refused = [
      [{}, 400, []],
      [{ snapshot: mine, organization_id: outsider.id }, 403, undefined],
      [{ snapshot: unknownId }, 404, undefined],
      [{ snapshot: other }, 403, undefined],
      [{ snapshot: mine }, 400, ['snapshot']],
    ] as const
    for (const [body, status, fields] of refused) {
      const response = await create({ key: owner.key }, body)
      expect([response.status, response.body.missing_fields]).toEqual([status, fields])
    }
    expect(await world.db`select 1 from playcount_snapshots where catalog_id is not null`).toHaveLength(0)
  })

  test('creates one catalog from a snapshot, even for parallel requests', async () => {
    const [ada, bob] = [platformSong(), platformSong()]
    const artists = [{ id: 'dominant', name: 'Dominant' }]
    const more = [platformSong({ artists }), platformSong({ artists })]
    await storeSongs(world, [ada, bob, ...more])
    const counts = [ada, bob, ...more].map(({ isrc }) => ({ isrc, playCount: 10 }))
    const snapshot = await makeSnapshot(world, owner.id, { counts })
    const responses = await Promise.all(Array.from({ length: 8 }, () => create({ key: owner.key }, { snapshot })))
    expect(new Set(responses.map(({ body }) => body.catalog.id)).size).toBe(1)
    expect(responses.map(({ body }) => body.songs_added).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0, 0, 4])
    expect(responses[0]?.body.catalog.name).toBe('Dominant')
    const roster = await world.db`
      select name from account_artist_ids join accounts on accounts.id = artist_id where account_id = ${owner.id}`
    expect(roster).toEqual([{ name: 'Dominant' }])
  })

  test("adds the artist to the caller's roster again when the snapshot is claimed again", async () => {
    const song = platformSong()
    await storeSongs(world, [song])
    const snapshot = await makeSnapshot(world, colleague.id, { counts: [{ isrc: song.isrc, playCount: 1 }] })
    const body = { snapshot, organization_id: organization.id }
    const first = await create({ key: colleague.key }, body)
    await world.db`delete from account_artist_ids where account_id = ${colleague.id}`
    const again = await create({ key: colleague.key }, { snapshot, name: 'Another name' })
    expect(again.body).toEqual({ ...first.body, songs_added: 0 })
    const roster =
      await world.db`select account_id as id from account_artist_ids join accounts on accounts.id = artist_id
      where accounts.name = 'Ada'`
    expect(roster).toEqual([{ id: colleague.id }])
  })

  test('uses a default name for a catalog whose songs have no artist', async () => {
    const song = platformSong({ artists: [] })
    await storeSongs(world, [song])
    const snapshot = await makeSnapshot(world, outsider.id, { counts: [{ isrc: song.isrc, playCount: 1 }] })
    const { body } = await create({ key: outsider.key }, { snapshot })
    expect(body).toMatchObject({ catalog: { name: 'Untitled catalog' }, songs_added: 1 })
  })
})

describe('a catalog', () => {
  test('can be renamed and deleted by every account that sees it; once it is deleted, its snapshots can be claimed again', async () => {
    const song = platformSong()
    await storeSongs(world, [song])
    const snapshot = await makeSnapshot(world, owner.id, { counts: [{ isrc: song.isrc, playCount: 7 }] })
    const { id } = (await create({ key: owner.key }, { snapshot, organization_id: organization.id })).body.catalog
    const path = `/api/catalogs/${id}`
    const patch = (key: string) => world.request<Body>('PATCH', path, { key, body: { name: 'Renamed' } })
    expect((await patch(outsider.key)).status).toBe(403)
    expect((await patch(colleague.key)).body.catalog).toMatchObject({ id, name: 'Renamed' })
    expect((await world.request('DELETE', path, { key: outsider.key })).status).toBe(403)
    const deleted = await world.request<Body>('DELETE', path, { key: colleague.key })
    expect(deleted.body).toEqual({ status: 'success', catalog_id: id, released_snapshot_ids: [snapshot] })
    expect((await world.request('DELETE', path, { key: owner.key })).status).toBe(404)
    const recreated = await create({ key: owner.key }, { snapshot })
    expect(recreated.body.songs_added).toBe(1)
    expect(recreated.body.catalog.id).not.toBe(id)
  })
})

describe('the list of catalogs', () => {
  test('shows the size, the value and an owner that the reader has access to', async () => {
    const manager = await world.makeAccount()
    const label = await world.makeOrganization({ name: 'Label', members: [manager.id] })
    const songs = [platformSong(), platformSong(), platformSong()]
    await storeSongs(world, songs)
    const counts = songs.slice(0, 2).map(({ isrc }) => ({ isrc, playCount: 25_000_000 }))
    const snapshot = await makeSnapshot(world, manager.id, { counts })
    const { id } = (await create({ key: manager.key }, { snapshot, organization_id: label.id })).body.catalog
    await world.db`insert into account_catalogs (account_id, catalog_id) values (${manager.id}, ${id})`
    await world.db`insert into account_catalogs (account_id, catalog_id) values (${outsider.id}, ${id})`
    await world.db`insert into catalog_songs (catalog_id, isrc) values (${id}, ${songs[2]?.isrc ?? ''})`
    const empty = (await create({ key: manager.key }, { name: 'Empty' })).body.catalog.id
    const { body } = await list({ key: manager.key })
    expect(body).toMatchObject({
      catalogs: [
        { id: empty, song_count: 0, measured_song_count: 0, valuation: null, owner: { id: manager.id } },
        {
          id,
          song_count: 3,
          measured_song_count: 2,
          valuation: { low: 278_906.25, mid: 406_087.5, high: 571_200 },
          owner: { id: label.id, name: 'Label', image: null, is_organization: true },
        },
      ],
      pagination: { total_count: 2, limit: 50, offset: 0 },
    })
    expect(await listIds({ key: manager.key }, '?limit=1&offset=1')).toEqual([id])
    expect(await listIds({ key: manager.key }, '?offset=9')).toEqual([])
    const path = `/api/accounts/${label.id}/catalogs`
    const ofLabel = await world.request<Body>('GET', path, { key: manager.key })
    expect(ofLabel.body.catalogs.map((catalog) => catalog.id)).toEqual([id])
    expect((await world.request('GET', path, { key: outsider.key })).status).toBe(403)
    expect((await world.request('GET', `/api/accounts/${unknownId}/catalogs`, { key: outsider.key })).status).toBe(404)
    expect((await list({ key: outsider.key }, `?account_id=${manager.id}`)).status).toBe(403)
  })

  test('runs the same number of queries for any number of catalogs', async () => {
    const reader = await world.makeAccount()
    await world.db`
      with made as (insert into catalogs (name) select 'Many' from generate_series(1, 60) returning id)
      insert into account_catalogs (account_id, catalog_id) select ${reader.id}, id from made`
    const queries = async (limit: number): Promise<number> => {
      const seen: string[] = []
      const { db } = world.deps
      world.deps.db = countingPool(db, seen)
      try {
        expect((await list({ key: reader.key }, `?limit=${limit}`)).body.catalogs).toHaveLength(limit)
      } finally {
        world.deps.db = db
      }
      expect(seen).not.toEqual([])
      return seen.length
    }
    expect(await queries(60)).toBe(await queries(2))
  })
})

const unknownId = '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a'

/** A pool that records each query it runs in `seen`. */
const countingPool = (pool: World['db'], seen: string[]): World['db'] =>
  new Proxy(pool, {
    apply: (target, self, args: unknown[]) => {
      seen.push(String(args[0]))
      return Reflect.apply(target, self, args) as unknown
    },
  })
