import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createArtistsApi, newStreamingId, type Artist } from './artists.ts'

type Social = { social_id: string; type: string; profile_url: string }
type Socials = { socials: Social[]; pagination: object; error: string }

const adminOrganizationId = randomUUID()
let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
let admin: TestAccount
let organization: { id: string }
const { make, patch, post } = createArtistsApi(() => world)

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { ADMIN_ORGANIZATION_ID: adminOrganizationId } })
  await world.db`insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Admins')`
  owner = await world.makeAccount()
  colleague = await world.makeAccount()
  outsider = await world.makeAccount()
  admin = await world.makeAccount({ organizationId: adminOrganizationId })
  organization = await world.makeOrganization({ members: [owner.id, colleague.id] })
})
afterAll(() => world.close())

const setProfiles = ({ key }: TestAccount, id: string, profileUrls: object, body: object = {}) =>
  patch({ key }, id, { ...body, profileUrls })

const listUrls = (artist: Artist | undefined): string[] => (artist?.account_socials ?? []).map((row) => row.profile_url)

/** Creates a public artist of the owner that is also on the outsider's roster. */
const share = async (): Promise<string> => {
  const streaming_artist_id = newStreamingId()
  const { id } = await make(owner, { streaming_artist_id })
  await post({ key: outsider.key }, { name: 'a', streaming_artist_id })
  return id
}

const socials = ({ key }: TestAccount, id: string, query = '') =>
  world.request<Socials>('GET', `/api/artists/${id}/socials${query}`, { key })

const unlink = ({ key }: TestAccount, id: string, socialId: string) =>
  world.request('DELETE', `/api/artists/${id}/socials/${socialId}`, { key })

describe('profileUrls', () => {
  test('links profiles for every account, normalized and with their user names', async () => {
    const { id } = await make(owner)
    const { status, body } = await setProfiles(owner, id, {
      TIKTOK: 'https://www.tiktok.com/@Abba?lang=en',
      X: 'http://twitter.com/Abba/',
      STREAMING: '',
      PHOTO: null,
    })
    expect(status).toBe(200)
    expect(body.artist.account_socials).toEqual(
      [
        { type: 'TIKTOK', profile_url: 'tiktok.com/@abba' },
        { type: 'X', profile_url: 'x.com/abba' },
      ].map((social) => ({
        ...social,
        id: expect.any(String),
        link: social.profile_url,
        username: 'abba',
        avatar: null,
        bio: null,
        follower_count: null,
        following_count: null,
        region: null,
        updated_at: expect.any(String),
      })),
    )
    expect(listUrls((await setProfiles(owner, id, { TIKTOK: null, X: '' })).body.artist)).toHaveLength(2)
  })

  test('stores one row for a profile of two artists', async () => {
    const [one, other] = [await make(owner), await make(outsider)]
    const first = await setProfiles(owner, one.id, { VIDEO: 'https://youtube.com/@together' })
    const second = await setProfiles(outsider, other.id, { VIDEO: 'https://www.youtube.com/@Together/' })
    expect(second.body.artist.account_socials).toEqual(first.body.artist.account_socials)
  })

  test('replaces profiles that the workspace added, and any profile of an artist that it created', async () => {
    const id = await share()
    await setProfiles(outsider, id, { TIKTOK: 'https://tiktok.com/@one' })
    const replaced = await setProfiles(outsider, id, { TIKTOK: 'https://tiktok.com/@two' })
    expect(listUrls(replaced.body.artist)).toContain('tiktok.com/@two')
    expect(listUrls(replaced.body.artist)).not.toContain('tiktok.com/@one')
    expect(listUrls((await setProfiles(owner, id, { TIKTOK: 'https://tiktok.com/@three' })).body.artist)).toContain(
      'tiktok.com/@three',
    )
    expect(await world.db`select 1 from socials where profile_url = 'tiktok.com/@one'`).toHaveLength(1)
  })

  test('does not replace a profile of another workspace, and writes nothing if the request contains one', async () => {
    const id = await share()
    await setProfiles(owner, id, { X: 'https://x.com/owners' })
    const before = await socials(owner, id)
    const refused = await setProfiles(
      outsider,
      id,
      { TIKTOK: 'https://tiktok.com/@new', X: 'https://x.com/strangers', OTHER: 'https://new.example' },
      { label: 'Not written', pinned: true },
    )
    expect(refused).toMatchObject({ status: 403, body: { error: 'Access denied to this profile link' } })
    expect((await socials(owner, id)).body).toEqual(before.body)
    const again = await setProfiles(outsider, id, { X: 'https://x.com/owners' })
    expect(again).toMatchObject({ status: 200, body: { artist: { label: null, pinned: false } } })
    const byAdmin = await setProfiles(admin, id, { X: 'https://x.com/admins' })
    expect(listUrls(byAdmin.body.artist)).toContain('x.com/admins')
  })

  test('lets members replace the links that their organization added', async () => {
    const { id } = await make(outsider)
    await world.db`insert into artist_organization_ids (artist_id, organization_id) values (${id}, ${organization.id})`
    await setProfiles(owner, id, { X: 'https://x.com/one' }, { organization_id: organization.id })
    expect((await setProfiles(colleague, id, { X: 'https://x.com/two' })).status).toBe(200)
    await setProfiles(outsider, id, { PHOTO: 'https://instagram.com/one' })
    expect((await setProfiles(colleague, id, { PHOTO: 'https://instagram.com/two' })).status).toBe(403)
  })

  test('rejects a streaming profile of another artist', async () => {
    const streaming_artist_id = newStreamingId()
    await make(owner, { streaming_artist_id })
    const { id } = await make(owner)
    const address = `https://open.spotify.com/intl-se/artist/${streaming_artist_id}?si=1`
    expect(await setProfiles(owner, id, { STREAMING: address, OTHER: 'https://abba.example' })).toMatchObject({
      status: 409,
      body: { error: 'Another artist has this streaming profile' },
    })
    expect((await socials(owner, id)).body.socials).toEqual([])
  })

  test('links a streaming profile for only one of several parallel requests', async () => {
    const address = `https://open.spotify.com/artist/${newStreamingId()}`
    const made = await Promise.all(Array.from({ length: 5 }, () => make(owner)))
    const responses = await Promise.all(made.map(({ id }) => setProfiles(owner, id, { STREAMING: address })))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(4)
  })

  test('keeps one profile after parallel replacements', async () => {
    const { id } = await make(owner)
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        setProfiles(owner, id, {
          X: `https://x.com/parallel${index}`,
          TIKTOK: `https://tiktok.com/@parallel${5 - index}`,
        }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await socials(owner, id)).body.socials.map(({ type }) => type)).toEqual(['TIKTOK', 'X'])
  })

  test('keeps up to twenty profiles of other platforms', async () => {
    const { id } = await make(owner)
    for (let index = 0; index < 20; index += 1)
      expect((await setProfiles(owner, id, { OTHER: `https://site${index}.example` })).status).toBe(200)
    expect((await setProfiles(owner, id, { OTHER: 'https://site7.example/' })).status).toBe(200)
    expect(await setProfiles(owner, id, { OTHER: 'https://site20.example' })).toMatchObject({ status: 409 })
    expect((await setProfiles(owner, id, { X: 'https://x.com/besides' })).status).toBe(200)
    expect((await socials(owner, id)).body.pagination).toMatchObject({ total_count: 21 })
  })

  test.each<[unknown, unknown[]]>([
    [[], ['profileUrls']],
    ['https://x.com/abba', ['profileUrls']],
    [{ MYSPACE: '' }, ['profileUrls', 'MYSPACE']],
    [{ x: 'https://x.com/abba' }, ['profileUrls', 'x']],
    [{ X: 'https://tiktok.com/@abba' }, ['profileUrls', 'X']],
    [{ X: 'https://notx.com/abba' }, ['profileUrls', 'X']],
    [{ X: 'https://x.com.evil.example/abba' }, ['profileUrls', 'X']],
    [{ X: 'x.com/abba' }, ['profileUrls', 'X']],
    [{ X: 'javascript://x.com/abba' }, ['profileUrls', 'X']],
    [{ X: 7 }, ['profileUrls', 'X']],
    [{ OTHER: 'https://x.com/abba' }, ['profileUrls', 'OTHER']],
    [{ X: 'https://x.com/abba', OTHER: 'https://user:secret@abba.example' }, ['profileUrls', 'OTHER']],
    [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`T${index}`, ''])), ['profileUrls']],
  ])('rejects %j', async (profileUrls, missing_fields) => {
    const { id } = await make(owner)
    const response = await patch({ key: owner.key }, id, { profileUrls })
    expect([response.status, response.body.missing_fields]).toEqual([400, missing_fields])
  })
})

describe('GET /api/artists/{id}/socials', () => {
  test('lists the profiles page by page', async () => {
    const { id } = await make(owner)
    await setProfiles(owner, id, {
      TIKTOK: 'https://tiktok.com/@paged',
      OTHER: 'https://paged.example',
      X: 'https://x.com/p',
    })
    const all = await socials(owner, id)
    expect(all).toMatchObject({
      status: 200,
      body: { pagination: { total_count: 3, page: 1, limit: 20, total_pages: 1 } },
    })
    expect(all.body.socials.map(({ type }) => type)).toEqual(['OTHER', 'TIKTOK', 'X'])
    expect(all.body.socials[0]).toEqual({
      social_id: expect.any(String),
      type: 'OTHER',
      username: null,
      profile_url: 'paged.example',
      avatar: null,
      bio: null,
      follower_count: null,
      following_count: null,
      region: null,
      updated_at: expect.any(String),
    })
    const second = await socials(owner, id, '?page=2&limit=2')
    expect(second.body).toMatchObject({ pagination: { total_count: 3, page: 2, limit: 2, total_pages: 2 } })
    expect(second.body.socials).toEqual(all.body.socials.slice(2))
    expect((await socials(owner, id, '?page=3&limit=2')).body.socials).toEqual([])
  })

  test('requires access to the artist', async () => {
    const { id } = await make(owner, { organization_id: organization.id })
    expect((await socials(colleague, id)).status).toBe(200)
    expect(await socials(outsider, id)).toMatchObject({ status: 403, body: { error: 'Access denied to this artist' } })
    expect(await socials(owner, randomUUID())).toMatchObject({ status: 404, body: { error: 'Artist not found' } })
    expect(await socials(owner, 'x')).toMatchObject({ status: 400, body: { missing_fields: [] } })
    for (const query of ['?page=0', '?limit=0', '?limit=101', '?page=x'])
      expect((await socials(owner, id, query)).status).toBe(400)
  })
})

describe('DELETE /api/artists/{id}/socials/{socialId}', () => {
  test('deletes the link and keeps the profile', async () => {
    const { id } = await make(owner)
    const { body } = await setProfiles(owner, id, { X: 'https://x.com/unlinked' })
    const socialId = body.artist.account_socials[0]?.id ?? ''
    expect(await unlink(owner, id, socialId.toUpperCase())).toMatchObject({
      status: 200,
      body: { status: 'success', success: true, socialId },
    })
    expect((await socials(owner, id)).body.socials).toEqual([])
    expect(await world.db`select 1 from socials where id = ${socialId}`).toHaveLength(1)
    expect((await unlink(owner, id, socialId)).status).toBe(404)
  })

  test('requires the same rights as replacing the link', async () => {
    const id = await share()
    const added = await setProfiles(outsider, id, { X: 'https://x.com/of-the-stranger' })
    const [streaming, addedId] = added.body.artist.account_socials.map((row) => row.id)
    expect(await unlink(outsider, id, streaming ?? '')).toMatchObject({ status: 403 })
    expect((await unlink(outsider, id, addedId ?? '')).status).toBe(200)
    expect((await unlink(colleague, id, streaming ?? '')).status).toBe(403)
    expect((await unlink(owner, id, streaming ?? '')).status).toBe(200)
  })

  test('rejects unknown artists and profiles that are not linked', async () => {
    const { id } = await make(owner)
    expect((await unlink(owner, randomUUID(), randomUUID())).status).toBe(404)
    expect(await unlink(owner, id, randomUUID())).toMatchObject({
      status: 404,
      body: { error: 'Profile is not linked to this artist' },
    })
    for (const [artist, social] of [
      ['x', randomUUID()],
      [id, 'x'],
    ] as const)
      expect(await unlink(owner, artist, social)).toMatchObject({ status: 400, body: { missing_fields: [] } })
  })
})
