import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { createEmbeddedStreaming } from '../../providers/streaming/embedded/index.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createArtistsApi, makePeople, newStreamingId } from './artists.ts'

let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
let organization: { id: string }
const { issueBearer, list, make, listNames, post } = createArtistsApi(() => world)

beforeAll(async () => {
  world = await createWorld({ worker: false })
  ;({ owner, colleague, outsider, organization } = await makePeople(world))
})
afterAll(() => world.close())

const countArtists = () => world.db`select count(*) from accounts where kind = 'artist'`

type GetArtist = (artistId: string) => Promise<{ name: string; imageUrl: string }>

/** Calls `run` while `getArtist` replaces the artist lookup of the streaming platform. */
const withStreaming = async <T>(getArtist: GetArtist, run: () => Promise<T>): Promise<T> => {
  const before = world.deps.streaming
  world.deps.streaming = {
    ...createEmbeddedStreaming({ host: world.config.STREAMING_HOST }),
    getArtist: async (id) => ({ followers: null, profileUrl: 'https://platform.example', ...(await getArtist(id)) }),
  }
  try {
    return await run()
  } finally {
    world.deps.streaming = before
  }
}

describe('POST /api/artists', () => {
  test("creates an artist on the caller's roster", async () => {
    const response = await post({ key: owner.key }, { name: '  Abba ' })
    const { artist } = response.body
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      status: 'success',
      artist: {
        id: artist.id,
        account_id: artist.id,
        name: 'Abba',
        image: null,
        instruction: null,
        label: null,
        knowledges: [],
        pinned: false,
        organization_ids: [],
        account_socials: [],
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: artist.created_at,
      },
    })
    expect((await list({ key: owner.key }, { limit: '200' })).body.artists).toContainEqual(artist)
    const [row] = await world.db`select kind, created_by from accounts where id = ${artist.id}`
    expect(row).toEqual({ kind: 'artist', createdBy: owner.id })
    expect(await world.db`select 1 from credit_balances where account_id = ${artist.id}`).toHaveLength(0)
  })

  test('creates two artists with the same name', async () => {
    expect((await make(owner, { name: 'Twice' })).id).not.toBe((await make(owner, { name: 'Twice' })).id)
  })

  test('reuses the artist of a streaming profile, even one that another account created', async () => {
    const streaming_artist_id = newStreamingId()
    const made = await make(owner, { name: 'First', streaming_artist_id })
    expect(made.account_socials).toMatchObject([
      {
        type: 'STREAMING',
        username: null,
        profile_url: `open.spotify.com/artist/${streaming_artist_id}`,
        link: `open.spotify.com/artist/${streaming_artist_id}`,
      },
    ])
    const linked = await post({ key: outsider.key }, { name: 'Second', streaming_artist_id })
    expect(linked).toMatchObject({ status: 200, body: { artist: { id: made.id, name: 'First' } } })
    const elsewhere = await make(outsider, { name: 'Third', streaming_artist_id: streaming_artist_id.toUpperCase() })
    expect(elsewhere.id).not.toBe(made.id)
  })

  test('creates one artist for parallel requests with the same streaming id', async () => {
    const streaming_artist_id = newStreamingId()
    const callers = [owner, colleague, outsider]
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        post({ key: callers[index % 3]?.key }, { name: `Caller ${index}`, streaming_artist_id }),
      ),
    )
    expect(new Set(responses.map(({ body }) => body.artist.id)).size).toBe(1)
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(11)
    const id = responses[0]?.body.artist.id ?? ''
    expect(await world.db`select 1 from account_artist_ids where artist_id = ${id}`).toHaveLength(3)
    expect(await world.db`select 1 from account_socials where account_id = ${id}`).toHaveLength(1)
  })

  test('attaches new and existing artists to the organization that the request names', async () => {
    const streaming_artist_id = newStreamingId()
    const body = { name: 'Ours', streaming_artist_id, organization_id: organization.id }
    const made = await post({ key: owner.key }, body)
    expect(made).toMatchObject({ status: 201, body: { artist: { organization_ids: [organization.id] } } })
    expect(await listNames(colleague, { organization_id: organization.id })).toContain('Ours')
    const [row] = await world.db`select created_by from accounts where id = ${made.body.artist.id}`
    expect(row).toEqual({ createdBy: organization.id })

    const other = await world.makeOrganization({ members: [colleague.id] })
    const linked = await post({ key: colleague.key }, { ...body, organization_id: other.id })
    expect(linked.status).toBe(200)
    expect(new Set(linked.body.artist.organization_ids)).toEqual(new Set([organization.id, other.id]))
    expect((await list({ key: owner.key }, { organization_id: organization.id })).body.artists).toContainEqual(
      expect.objectContaining({ id: made.body.artist.id, organization_ids: [organization.id] }),
    )
  })

  test('creates one artist and returns one response for a repeated Idempotency-Key', async () => {
    const account = await world.makeAccount()
    const send = (name: string) => post({ key: account.key, headers: { 'idempotency-key': 'once' } }, { name })
    const first = await send('Once')
    const again = await send('Once')
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await send('Other')).status).toBe(422)
    expect(await listNames(account)).toEqual(['Once'])
  })

  test('acts for another account under the override rules', async () => {
    const response = await post({ key: owner.key }, { name: 'For a colleague', account_id: colleague.id })
    expect(response.status).toBe(201)
    expect(await listNames(colleague)).toContain('For a colleague')
    expect(await listNames(owner, { limit: '200' })).not.toContain('For a colleague')
    const bearer = await issueBearer(owner)
    expect((await post(bearer, { name: 'a', account_id: organization.id })).status).toBe(403)
    expect((await post(bearer, { name: 'a', organization_id: organization.id })).status).toBe(201)
    expect((await post({ key: owner.key }, { name: 'a', account_id: organization.id })).status).toBe(201)
  })

  test.each<[object, string]>([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7, streaming_artist_id: '-' }, 'name'],
    [{ name: 'a', streaming_artist_id: '' }, 'streaming_artist_id'],
    [{ name: 'a', streaming_artist_id: 'a/b' }, 'streaming_artist_id'],
    [{ name: 'a', streaming_artist_id: 'x'.repeat(65) }, 'streaming_artist_id'],
    [{ name: 'a', account_id: 'x' }, 'account_id'],
    [{ name: 'a', organization_id: null }, 'organization_id'],
  ])('rejects %j', async (body, field) => {
    expect(await post({ key: owner.key }, body)).toMatchObject({ status: 400, body: { missing_fields: [field] } })
  })

  test('rejects an account or organization without access, and creates nothing', async () => {
    const before = await countArtists()
    expect(await post({ key: outsider.key }, { name: 'a', account_id: owner.id })).toMatchObject({
      status: 403,
      body: { error: 'Access denied to this account' },
    })
    for (const organization_id of [organization.id, randomUUID()])
      expect(await post({ key: outsider.key }, { name: 'a', organization_id })).toMatchObject({
        status: 403,
        body: { error: 'Access denied to this organization' },
      })
    expect(await countArtists()).toEqual(before)
  })
})

describe('the streaming platform', () => {
  test('determines the public name of a new artist; the workspace uses the name in the request', async () => {
    const streaming_artist_id = newStreamingId()
    const requestedIds: string[] = []
    await withStreaming(
      (id) => {
        requestedIds.push(id)
        return Promise.resolve({ name: ' ABBA ', imageUrl: 'https://images.example/abba.png' })
      },
      async () => {
        const mine = await make(owner, { name: 'My Abba', streaming_artist_id })
        expect(mine).toMatchObject({ name: 'My Abba', image: 'https://images.example/abba.png' })
        const theirs = await post({ key: outsider.key }, { name: 'Whatever', streaming_artist_id })
        expect(theirs.body.artist).toMatchObject({ id: mine.id, name: 'ABBA' })
      },
    )
    expect(requestedIds).toEqual([streaming_artist_id])
  })

  test.each([
    ['does not respond', () => Promise.reject(new ProviderError('unavailable', 'down'))],
    ['returns no name', () => Promise.resolve({ name: ' ', imageUrl: 'javascript:alert(1)' })],
  ])('is optional: if it %s, the artist has the name that was sent', async (_, getArtist) => {
    const made = await withStreaming(getArtist, () => make(owner, { streaming_artist_id: newStreamingId() }))
    expect(made).toMatchObject({ name: 'Artist', image: null })
  })
})
