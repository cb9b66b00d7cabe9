import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FoundSong } from '../../domain/measurements/capture.ts'
import type { StreamingPort } from '../../providers/streaming/index.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { makePeople } from '../artists/artists.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { newIsrc, platformSong, storeSongs } from './catalogs.ts'

type Song = {
  catalog_id: string
  isrc: string
  name: string
  album: string
  lyrics: string
  artists: { id: string; name: string; timestamp: number | null }[]
}
type Body = { songs: Song[]; songs_added: number; removed: number; pagination: object; catalog: { id: string } }

let world: World
let owner: TestAccount
let outsider: TestAccount
/** Songs of the streaming platform. Lookups of codes that begin with XX fail. */
const platform = new Map<string, FoundSong>()
const requestedIsrcs: string[] = []

// The routes under test call only this method of the port.
const testPlatform = {
  findByIsrc: async (isrc: string) => {
    requestedIsrcs.push(isrc)
    if (isrc.startsWith('XX')) throw new ProviderError('unavailable', 'the lookup fails')
    return platform.get(isrc) ?? null
  },
} as unknown as StreamingPort

beforeAll(async () => {
  world = await createWorld({ worker: false })
  ;({ owner, outsider } = await makePeople(world))
  world.deps.streaming = testPlatform
})
afterAll(() => world.close())

const newCatalog = async ({ key }: TestAccount): Promise<string> =>
  (await world.request<Body>('POST', '/api/catalogs', { key, body: { name: 'Catalog' } })).body.catalog.id
const add = ({ key }: TestAccount, songs: object[]) =>
  world.request<Body>('POST', '/api/catalogs/songs', { key, body: { songs } })
const remove = ({ key }: TestAccount, songs: object[]) =>
  world.request<Body>('DELETE', '/api/catalogs/songs', { key, body: { songs } })
const list = ({ key }: TestAccount, query: Record<string, string>) =>
  world.request<Body>('GET', `/api/catalogs/songs?${new URLSearchParams(query).toString()}`, { key })

describe('songs of a catalog', () => {
  test('have the data of the streaming platform and the lyrics that the caller sent', async () => {
    const catalogId = await newCatalog(owner)
    const song = platformSong({ name: 'Platform name', album: 'Platform album' })
    platform.set(song.isrc, song)
    const sent = { catalog_id: catalogId, isrc: song.isrc.toLowerCase(), name: 'Mine', lyrics: 'La', artists: ['Me'] }
    const added = await add(owner, [sent])
    expect(added).toMatchObject({ status: 200, body: { songs_added: 1 } })
    expect(added.body.songs).toMatchObject([
      { isrc: song.isrc, name: 'Platform name', album: 'Platform album', lyrics: 'La', artists: [{ name: 'Ada' }] },
    ])
    expect((await list(owner, { catalog_id: catalogId })).body.songs).toEqual(added.body.songs)
  })

  test('do not show the texts of an account to other accounts', async () => {
    const isrc = newIsrc()
    const [mine, theirs] = [await newCatalog(owner), await newCatalog(outsider)]
    const ownSong = { catalog_id: mine, isrc, name: 'Working title', album: 'Secret', lyrics: 'Mine', artists: ['Nom'] }
    await add(owner, [ownSong])
    const seen = await add(outsider, [{ catalog_id: theirs, isrc }])
    expect(seen.body.songs).toMatchObject([{ name: '', album: '', lyrics: '', artists: [] }])
    const shown = (await list(owner, { catalog_id: mine })).body.songs
    expect(shown).toMatchObject([
      { name: 'Working title', album: 'Secret', lyrics: 'Mine', artists: [{ name: 'Nom' }] },
    ])
    expect(await world.db`select name, album, lyrics from songs where isrc = ${isrc}`).toEqual([
      { name: null, album: null, lyrics: null },
    ])
  })

  test("with one artist name, in any letter case, share one artist, which is one of the owner's artists", async () => {
    const catalogId = await newCatalog(owner)
    await add(outsider, [{ catalog_id: await newCatalog(outsider), isrc: newIsrc(), artists: ['Same Name'] }])
    const songs = [newIsrc(), newIsrc()].map((isrc) => ({ catalog_id: catalogId, isrc, artists: ['Same Name'] }))
    await Promise.all([
      add(owner, songs),
      add(owner, [{ ...songs[0], artists: ['SAME NAME'] }]),
      add(owner, [{ ...songs[1], artists: ['same name'] }]),
    ])
    const made = await world.db`select created_by as maker from accounts where lower(name) = 'same name' order by 1`
    expect(made.map((row) => row['maker'])).toEqual([owner.id, outsider.id].sort())
  })

  test('are added even if their lookup fails, and are looked up again on the next request', async () => {
    const catalogId = await newCatalog(owner)
    const isrc = 'XX0000000001'
    const songs = [{ catalog_id: catalogId, isrc, name: 'Unresolved' }]
    expect((await add(owner, songs)).body).toMatchObject({ songs_added: 1, songs: [{ name: 'Unresolved' }] })
    expect((await add(owner, songs)).body).toMatchObject({ songs_added: 0, songs: [{ name: 'Unresolved' }] })
    expect(requestedIsrcs.filter((each) => each === isrc)).toHaveLength(2)
  })

  test('are all rejected if one of their catalogs is unknown or not visible', async () => {
    const [mine, theirs] = [await newCatalog(owner), await newCatalog(outsider)]
    const isrc = newIsrc()
    const unknownId = '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a'
    for (const change of [add, remove]) {
      const both = [mine, theirs].map((catalog_id) => ({ catalog_id, isrc }))
      expect((await change(owner, both)).status).toBe(403)
      expect((await change(owner, [...both, { catalog_id: unknownId, isrc }])).status).toBe(404)
    }
    expect(await world.db`select 1 from catalog_songs where isrc = ${isrc}`).toHaveLength(0)
    expect(requestedIsrcs).not.toContain(isrc)
  })

  test('are listed by descending code, and filtered by a literal artist name', async () => {
    const catalogId = await newCatalog(owner)
    const songs = [
      platformSong({ artists: [{ id: 'percent', name: '100%' }] }),
      platformSong({ artists: [{ id: 'other', name: '100 Percent' }] }),
      platformSong({ artists: [{ id: 'percent', name: '100%' }] }),
    ]
    await storeSongs(world, songs)
    await add(
      owner,
      songs.map(({ isrc }) => ({ catalog_id: catalogId, isrc })),
    )
    const codes = songs.map(({ isrc }) => isrc)
    const listIsrcs = async (query: Record<string, string>) =>
      (await list(owner, { catalog_id: catalogId, ...query })).body.songs.map(({ isrc }) => isrc)
    expect(await listIsrcs({})).toEqual([codes[2], codes[1], codes[0]])
    expect(await listIsrcs({ limit: '1', page: '2' })).toEqual([codes[1]])
    expect(await listIsrcs({ page: '9' })).toEqual([])
    expect(await listIsrcs({ artistName: '100%' })).toEqual([codes[2], codes[0]])
    const none = await list(owner, { catalog_id: catalogId, artistName: '%' })
    expect(none).toMatchObject({ status: 200, body: { songs: [], pagination: { total_count: 0, total_pages: 0 } } })
  })

  test('are removed; a song that is not in the catalog is not an error', async () => {
    const catalogId = await newCatalog(owner)
    const songs = [newIsrc(), newIsrc()].map((isrc) => ({ catalog_id: catalogId, isrc, artists: ['Gone'] }))
    await add(owner, songs)
    const removed = await remove(owner, [songs[0] ?? {}, songs[0] ?? {}, { catalog_id: catalogId, isrc: newIsrc() }])
    expect(removed.body).toMatchObject({
      removed: 1,
      songs: [{ isrc: songs[1]?.isrc }],
      pagination: { total_count: 1, page: 1, limit: 100, total_pages: 1 },
    })
    expect((await remove(owner, songs)).body).toMatchObject({ removed: 1, songs: [] })
    expect((await list(owner, { catalog_id: catalogId })).status).toBe(404)
    expect((await list(outsider, { catalog_id: catalogId })).status).toBe(403)
  })

  test('keep an artist that is removed from its last roster', async () => {
    const catalogId = await newCatalog(owner)
    const added = await add(owner, [{ catalog_id: catalogId, isrc: newIsrc(), artists: ['Kept'] }])
    const artistId = added.body.songs[0]?.artists[0]?.id ?? ''
    await world.db`insert into account_artist_ids (account_id, artist_id) values (${owner.id}, ${artistId})`
    expect((await world.request('DELETE', `/api/artists/${artistId}`, { key: owner.key })).status).toBe(200)
    expect(await world.db`select 1 from accounts where id = ${artistId}`).toHaveLength(1)
  })
})
