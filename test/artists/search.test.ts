import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

let world: World
let account: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false })
  account = await world.makeAccount()
})
afterAll(() => world.close())

const search = (text: string) =>
  world.request<{ artists: { streaming_artist_id: string; name: string }[] }>(
    'GET',
    `/api/research/artists?search=${encodeURIComponent(text)}`,
    { key: account.key },
  )

test('the search finds artists of the platform by name, and the id of a result creates the artist with its name', async () => {
  const { status, body } = await search(' velvet ')
  expect(status).toBe(200)
  expect(body.artists.length).toBeGreaterThan(1)
  const [first] = body.artists
  expect(first).toEqual({
    streaming_artist_id: expect.stringMatching(/^[A-Za-z0-9]{1,64}$/),
    name: expect.stringContaining('Velvet'),
    image: expect.toSatisfy((image) => image === null || String(image).startsWith('https:')),
    follower_count: expect.any(Number),
    profile_url: expect.stringMatching(/^https:/),
  })
  const created = await world.request<{ artist: { name: string } }>('POST', '/api/artists', {
    key: account.key,
    body: { name: 'any', streaming_artist_id: first?.streaming_artist_id },
  })
  expect(created.status).toBe(201)
  expect(await world.db`select name from accounts where kind = 'artist'`).toEqual([{ name: first?.name }])
})

test('a name that no artist has returns an empty list', async () => {
  expect(await search('no such name')).toMatchObject({ status: 200, body: { status: 'success', artists: [] } })
})

test.each([
  ['', 400, 'search is required'],
  ['x'.repeat(101), 400, 'search must have 1 to 100 characters'],
  ['failing', 502, 'The streaming platform failed'],
  ['busy', 503, 'The streaming platform is busy'],
])('a search for “%.7s” returns %i', async (text, status, error) => {
  const response = await search(text)
  expect([response.status, response.body]).toEqual([status, expect.objectContaining({ status: 'error', error })])
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '7' : null)
})
