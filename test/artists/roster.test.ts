import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { giveWorkspace } from '../world/sessions/session-rows.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createArtistsApi, makePeople, newStreamingId } from './artists.ts'

let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
let organization: { id: string }
const { attach, issueBearer, detach, exists, list, make, listNames, patch, post, remove } = createArtistsApi(
  () => world,
)

beforeAll(async () => {
  world = await createWorld({ worker: false })
  ;({ owner, colleague, outsider, organization } = await makePeople(world))
})
afterAll(() => world.close())

const link = (account: TestAccount, body: object, headers?: Record<string, string>) =>
  world.request('POST', '/api/accounts/artists', { key: account.key, body, headers })

type SessionResponse = { session: { id: string; artistId: string } }

const openSession = async ({ key }: TestAccount, artistId: string): Promise<string> => {
  const response = await world.request<SessionResponse>('POST', '/api/sessions', { key, body: { artistId } })
  expect(response).toMatchObject({ status: 200, body: { session: { artistId } } })
  return response.body.session.id
}
const requestSession = (method: 'GET' | 'DELETE', { key }: TestAccount, id: string) =>
  world.request(method, `/api/sessions/${id}`, { key })

describe('GET /api/artists', () => {
  test('lists pinned artists first and the others by name, page by page', async () => {
    const account = await world.makeAccount()
    for (const name of ['delta', 'Bravo', 'alpha', 'Charlie']) await make(account, { name })
    const [delta] = (await list({ key: account.key }, { offset: '3' })).body.artists
    await patch({ key: account.key }, delta?.id ?? '', { pinned: true })
    expect(await listNames(account)).toEqual(['delta', 'alpha', 'Bravo', 'Charlie'])
    const page = await list({ key: account.key }, { limit: '2', offset: '1' })
    expect(page.body.artists.map(({ name }) => name)).toEqual(['alpha', 'Bravo'])
    expect(page.body.pagination).toEqual({ total_count: 4, limit: 2, offset: 1 })
    expect(await list({ key: account.key }, { offset: '4' })).toMatchObject({
      status: 200,
      body: { artists: [], pagination: { total_count: 4, limit: 100, offset: 4 } },
    })
  })

  test('lists the artists of an organization for its members, with either query parameter', async () => {
    const { id } = await world.makeOrganization({ members: [owner.id] })
    const artist = await world.makeArtist({ organizationId: id })
    for (const name of ['organization_id', 'org_id'])
      for (const sent of [{ key: owner.key }, await issueBearer(owner)])
        expect((await list(sent, { [name]: id })).body.artists.map((row) => row.id)).toEqual([artist.id])
    expect((await list({ key: outsider.key }, { org_id: id })).status).toBe(403)
  })

  test('lists the roster of another account under the override rules', async () => {
    await make(colleague, { name: 'Of the colleague' })
    expect(await listNames(owner, { account_id: colleague.id })).toContain('Of the colleague')
    expect((await list({ key: outsider.key }, { account_id: colleague.id })).status).toBe(403)
  })

  test.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '201' }, 'limit'],
    [{ offset: '-1' }, 'offset'],
    [{ offset: '1000001' }, 'offset'],
    [{ account_id: 'x' }, 'account_id'],
    [{ organization_id: 'x' }, 'organization_id'],
    [{ org_id: 'x' }, 'org_id'],
  ])('rejects %j', async (query, field) => {
    expect(await list({ key: owner.key }, query)).toMatchObject({ status: 400, body: { missing_fields: [field] } })
  })
})

describe('POST /api/accounts/artists', () => {
  test("adds a public artist to the caller's roster, once", async () => {
    const { id } = await make(owner, { streaming_artist_id: newStreamingId() })
    for (const _ of [1, 2])
      expect(await link(outsider, { artist_id: id.toUpperCase() })).toMatchObject({
        status: 200,
        body: { status: 'success', artist_id: id },
      })
    expect(await world.db`select 1 from account_artist_ids where artist_id = ${id}`).toHaveLength(2)
  })

  test('adds an artist that is not public only for callers with access to it', async () => {
    const { id } = await make(owner, { organization_id: organization.id })
    expect((await link(colleague, { artist_id: id })).status).toBe(200)
    expect((await link(owner, { artist_id: id, account_id: colleague.id })).status).toBe(200)
    expect(await link(outsider, { artist_id: id })).toMatchObject({
      status: 403,
      body: { error: 'Access denied to this artist' },
    })
  })

  test('rejects an account that is not an artist', async () => {
    for (const artist_id of [randomUUID(), owner.id, organization.id])
      expect(await link(owner, { artist_id })).toMatchObject({ status: 404, body: { error: 'Artist not found' } })
    expect(await link(owner, {})).toMatchObject({ status: 400, body: { missing_fields: ['artist_id'] } })
    expect((await link(outsider, { artist_id: randomUUID(), account_id: owner.id })).status).toBe(403)
  })
})

describe('an organization', () => {
  test('gets an artist that the caller has access to; a repetition returns the same id', async () => {
    const { id } = await make(owner)
    const first = await attach({ key: owner.key }, organization.id, id)
    expect(first).toMatchObject({ status: 200, body: { status: 'success' } })
    expect((await attach(await issueBearer(owner), organization.id, id)).body.id).toBe(first.body.id)
    expect((await list({ key: colleague.key }, { org_id: organization.id, limit: '200' })).body.artists).toContainEqual(
      expect.objectContaining({ id, organization_ids: [organization.id] }),
    )
  })

  test('does not get an artist that the caller has no access to', async () => {
    const { id } = await make(outsider)
    expect(await attach({ key: owner.key }, organization.id, id)).toMatchObject({
      status: 403,
      body: { error: 'Access denied to this artist' },
    })
    expect(await attach({ key: outsider.key }, organization.id, id)).toMatchObject({
      status: 403,
      body: { error: 'Access denied to this organization' },
    })
    expect((await attach({ key: owner.key }, organization.id, randomUUID())).body.error).toBe('Artist not found')
    for (const unknown of [randomUUID(), owner.id])
      expect((await attach({ key: owner.key }, unknown, id)).body.error).toBe('Organization not found')
  })

  test('releases an artist; a repetition has no effect', async () => {
    const { id } = await make(owner)
    await attach({ key: owner.key }, organization.id, id)
    expect((await detach({ key: outsider.key }, organization.id, id)).status).toBe(403)
    for (const _ of [1, 2])
      expect(await detach({ key: colleague.key }, organization.id, id)).toMatchObject({
        status: 200,
        body: { status: 'success' },
      })
    expect((await patch({ key: colleague.key }, id, { label: 'a' })).status).toBe(403)
    expect((await detach({ key: owner.key }, organization.id, randomUUID())).status).toBe(404)
    expect((await detach({ key: owner.key }, randomUUID(), id)).status).toBe(404)
    expect(await world.request('DELETE', '/api/organizations/artists', { key: owner.key })).toMatchObject({
      status: 400,
      body: { missing_fields: ['organization_id'] },
    })
  })
})

test('every roster change is recorded in the audit log with its artist', async () => {
  const made = await post({ key: owner.key, headers: { 'x-request-id': 'audited-1' } }, { name: 'Audited' })
  const { id } = made.body.artist
  await attach({ key: owner.key, headers: { 'x-request-id': 'audited-2' } }, organization.id, id)
  await link(outsider, { artist_id: id }, { 'x-request-id': 'audited-3' })
  const rows = await eventually('the audit rows', async () => {
    const found = await world.db`
      select caller, action, object, result from audit_log where request_id like 'audited-%' order by request_id`
    return found.length === 3 ? found : undefined
  })
  expect(rows).toEqual([
    { caller: owner.id, action: 'POST /api/artists', object: id, result: 201 },
    { caller: owner.id, action: 'POST /api/organizations/artists', object: `${organization.id}/${id}`, result: 200 },
    { caller: outsider.id, action: 'POST /api/accounts/artists', object: id, result: 403 },
  ])
})

describe('DELETE /api/artists/{id}', () => {
  test('deletes an unreferenced artist with its profile links', async () => {
    const streaming_artist_id = newStreamingId()
    const { id } = await make(owner, { streaming_artist_id })
    expect(await remove({ key: owner.key }, id.toUpperCase())).toMatchObject({
      status: 200,
      body: { status: 'success', success: true, artistId: id },
    })
    expect(await exists(id)).toBe(false)
    expect(await remove({ key: owner.key }, id)).toMatchObject({ status: 404, body: { error: 'Artist not found' } })
    expect((await make(outsider, { streaming_artist_id })).id).not.toBe(id)
  })

  test('keeps an artist that is on another roster', async () => {
    const streaming_artist_id = newStreamingId()
    const { id } = await make(owner, { streaming_artist_id })
    await post({ key: outsider.key }, { name: 'a', streaming_artist_id })
    expect((await remove({ key: owner.key }, id)).status).toBe(200)
    expect((await remove({ key: owner.key }, id)).status).toBe(403)
    expect(await exists(id)).toBe(true)
    expect((await remove({ key: outsider.key }, id)).status).toBe(200)
    expect(await exists(id)).toBe(false)
  })

  test('keeps an artist that is attached to an organization', async () => {
    const { id } = await make(owner, { organization_id: organization.id })
    for (const { key } of [colleague, owner]) {
      if (key === owner.key) expect((await remove({ key }, id)).status).toBe(200)
      expect(await remove({ key }, id)).toMatchObject({
        status: 409,
        body: { error: 'Artist is not on the roster of this account; detach it from the organization' },
      })
    }
    expect((await list({ key: owner.key }, { org_id: organization.id, limit: '200' })).body.artists).toContainEqual(
      expect.objectContaining({ id }),
    )
  })

  test('keeps an artist with sessions until its last session is deleted', async () => {
    await giveWorkspace(world.db, outsider.id)
    const { id } = await make(outsider)
    const [first, second] = [await openSession(outsider, id), await openSession(outsider, id)]
    expect((await remove({ key: outsider.key }, id)).status).toBe(200)
    expect((await requestSession('DELETE', outsider, first)).status).toBe(200)
    expect(await exists(id)).toBe(true)
    expect((await requestSession('GET', outsider, second)).body).toMatchObject({ session: { artistId: id } })
    expect((await requestSession('DELETE', outsider, second)).status).toBe(200)
    expect(await exists(id)).toBe(false)
  })

  test('keeps an artist on a roster or in an organization after the deletion of its sessions', async () => {
    await giveWorkspace(world.db, owner.id)
    const onRoster = await make(outsider, { streaming_artist_id: newStreamingId() })
    await link(owner, { artist_id: onRoster.id })
    const attached = await make(owner, { organization_id: organization.id })
    for (const { id } of [onRoster, attached]) {
      const session = await openSession(owner, id)
      expect((await remove({ key: owner.key }, id)).status).toBe(200)
      expect((await requestSession('DELETE', owner, session)).status).toBe(200)
      expect(await exists(id)).toBe(true)
    }
  })

  test('removes the artist from the roster of another account under the override rules', async () => {
    const { id } = await make(colleague)
    expect((await remove({ key: outsider.key }, id, { account_id: colleague.id })).status).toBe(403)
    expect((await remove({ key: owner.key }, id)).status).toBe(403)
    expect((await remove({ key: owner.key }, id, { account_id: colleague.id })).status).toBe(200)
    expect(await exists(id)).toBe(false)
  })

  test('in parallel with a request that links the artist either deletes or keeps it, and never fails', async () => {
    for (let round = 0; round < 10; round += 1) {
      const streaming_artist_id = newStreamingId()
      const { id } = await make(owner, { streaming_artist_id })
      const [removed, linked] = await Promise.all([
        remove({ key: owner.key }, id),
        post({ key: outsider.key }, { name: 'a', streaming_artist_id }),
      ])
      expect(removed.status).toBe(200)
      expect([200, 201]).toContain(linked.status)
      expect(linked.body.artist.id === id).toBe(linked.status === 200)
      expect(await exists(id)).toBe(linked.status === 200)
    }
  })

  test('rejects a path without an existing artist', async () => {
    expect(await remove({ key: owner.key }, 'x')).toMatchObject({ status: 400, body: { missing_fields: [] } })
    for (const id of [randomUUID(), owner.id]) expect((await remove({ key: owner.key }, id)).status).toBe(404)
  })
})
