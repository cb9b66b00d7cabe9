import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createArtistsApi, makePeople, newStreamingId, type Artist } from './artists.ts'

const adminOrganizationId = randomUUID()
let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
let organization: { id: string }
const { attach, issueBearer, detach, list, make, patch, post, remove } = createArtistsApi(() => world)

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { ADMIN_ORGANIZATION_ID: adminOrganizationId } })
  ;({ owner, colleague, outsider, organization } = await makePeople(world))
})
afterAll(() => world.close())

const texts = {
  name: 'Ours',
  image: 'https://images.example/ours.png',
  instruction: 'Say it in Swedish',
  label: 'Polar',
  knowledges: [{ name: 'Bio', url: 'https://docs.example/bio', type: 'pdf' }],
}
const noTexts = { image: null, instruction: null, label: null, knowledges: [] }

/** Returns the artist from the list of the account. */
const findListed = async (
  account: TestAccount,
  id: string,
  query: Record<string, string> = {},
): Promise<Artist | undefined> =>
  (await list({ key: account.key }, { limit: '200', ...query })).body.artists.find((artist) => artist.id === id)

/** Creates a public artist on the roster of each account. */
const share = async (...accounts: TestAccount[]): Promise<string> => {
  const streaming_artist_id = newStreamingId()
  let id = ''
  for (const { key } of accounts) ({ id } = (await post({ key }, { name: 'Shared', streaming_artist_id })).body.artist)
  return id
}

describe('PATCH /api/artists/{id}', () => {
  test('writes the texts of the workspace, and clears a text that is sent empty', async () => {
    const { id } = await make(owner, { name: 'Shared' })
    const changed = await patch({ key: owner.key }, id.toUpperCase(), { ...texts, pinned: true })
    expect(changed.status).toBe(200)
    expect(changed.body.artist).toMatchObject({ id, ...texts, pinned: true })
    expect(await findListed(owner, id)).toEqual(changed.body.artist)
    const partly = await patch(await issueBearer(owner), id, { label: '' })
    expect(partly.body.artist).toMatchObject({ ...texts, label: null, pinned: true })
    const cleared = await patch({ key: owner.key }, id, { image: '', instruction: '', knowledges: [], pinned: false })
    expect(cleared.body.artist).toMatchObject({ ...noTexts, name: 'Ours', pinned: false })
  })

  test('keeps the first of several documents with the same URL', async () => {
    const { id } = await make(owner)
    const [document] = texts.knowledges
    const { body } = await patch({ key: owner.key }, id, { knowledges: [document, { ...document, name: 'Again' }] })
    expect(body.artist.knowledges).toEqual([document])
  })

  test('loses no update when parallel requests change different fields', async () => {
    const { id } = await make(owner)
    await Promise.all(Object.entries(texts).map(([field, value]) => patch({ key: owner.key }, id, { [field]: value })))
    expect(await findListed(owner, id)).toMatchObject(texts)
  })

  test.each<[unknown, unknown[]]>([
    [{}, []],
    [undefined, []],
    [{ account_id: randomUUID(), organization_id: randomUUID() }, []],
    [{ name: ' ' }, ['name']],
    [{ name: 'x'.repeat(201) }, ['name']],
    [{ image: 'javascript:alert(1)' }, ['image']],
    [{ image: `https://a.example/${'x'.repeat(2048)}` }, ['image']],
    [{ image: null }, ['image']],
    [{ instruction: 'x'.repeat(10_001) }, ['instruction']],
    [{ label: 'x'.repeat(201) }, ['label']],
    [{ knowledges: [texts.knowledges[0], { name: 'a', url: 'ftp://a.example', type: '' }] }, ['knowledges', 1, 'url']],
    [{ knowledges: Array(101).fill(texts.knowledges[0]) }, ['knowledges']],
    [{ pinned: 'true' }, ['pinned']],
    [{ pinned: 1, name: '' }, ['name']],
  ])('rejects %j', async (body, missing_fields) => {
    const { id } = await make(owner)
    expect(await patch({ key: owner.key }, id, body)).toMatchObject({ status: 400, body: { missing_fields } })
  })

  test('rejects other accounts and unknown artists', async () => {
    const { id } = await make(owner)
    expect(await patch({ key: outsider.key }, id, { label: 'a' })).toMatchObject({
      status: 403,
      body: { error: 'Access denied to this artist' },
    })
    for (const unknown of [randomUUID(), owner.id])
      expect(await patch({ key: owner.key }, unknown, { label: 'a' })).toMatchObject({
        status: 404,
        body: { error: 'Artist not found' },
      })
    expect(await patch({ key: owner.key }, 'x', { label: 'a' })).toMatchObject({
      status: 400,
      body: { missing_fields: [] },
    })
    const elsewhere = await world.makeOrganization({ members: [outsider.id] })
    expect((await patch({ key: owner.key }, id, { label: 'a', organization_id: elsewhere.id })).status).toBe(403)
    expect((await patch({ key: outsider.key }, id, { label: 'a', account_id: owner.id })).status).toBe(403)
  })
})

describe('the workspace texts of an artist', () => {
  test('are never visible in another workspace', async () => {
    const id = await share(owner, outsider)
    await patch({ key: owner.key }, id, { ...texts, pinned: true })
    expect(await findListed(outsider, id)).toMatchObject({ ...noTexts, name: 'Shared', pinned: false })
    await attach({ key: owner.key }, organization.id, id)
    expect(await findListed(colleague, id, { org_id: organization.id })).toMatchObject({ ...noTexts, name: 'Shared' })
    expect(await findListed(owner, id, { org_id: organization.id })).toMatchObject({ ...noTexts, name: 'Shared' })
    const linked = await world.request('POST', '/api/accounts/artists', { key: colleague.key, body: { artist_id: id } })
    expect(linked.status).toBe(200)
    expect((await patch({ key: colleague.key }, id, { pinned: true })).text).not.toContain('Swedish')
    await detach({ key: owner.key }, organization.id, id)
    expect(await findListed(owner, id)).toMatchObject({ ...texts, pinned: true })
  })

  test('are shared by the members of the organization, who each have their own pin', async () => {
    const id = await share(owner)
    await attach({ key: owner.key }, organization.id, id)
    const written = await patch({ key: owner.key }, id, { ...texts, organization_id: organization.id })
    expect(written.body.artist).toMatchObject(texts)
    expect(await findListed(colleague, id, { org_id: organization.id })).toMatchObject({ ...texts, pinned: false })
    // The account has written no texts, so those of its organization apply.
    expect(await findListed(owner, id)).toMatchObject(texts)
    await patch({ key: owner.key }, id, { name: 'Mine', pinned: true })
    expect(await findListed(owner, id)).toMatchObject({ ...texts, name: 'Mine' })
    expect(await findListed(owner, id, { org_id: organization.id })).toMatchObject({ ...texts, pinned: true })
    expect(await findListed(colleague, id, { org_id: organization.id })).toMatchObject({ ...texts, pinned: false })
  })

  test('are written to the first organization that attached the artist if the account has no other access', async () => {
    const later = await world.makeOrganization({ members: [colleague.id] })
    const { id } = await make(owner, { organization_id: organization.id })
    await attach({ key: colleague.key }, later.id, id)
    expect((await patch({ key: colleague.key }, id, { label: 'First' })).body.artist.label).toBe('First')
    expect((await findListed(colleague, id, { org_id: organization.id }))?.label).toBe('First')
    expect((await findListed(colleague, id, { org_id: later.id }))?.label).toBeNull()
    await patch({ key: colleague.key }, id, { label: 'Later', instruction: 'b', organization_id: later.id })
    expect((await patch({ key: colleague.key }, id, { pinned: true })).body.artist).toMatchObject({
      label: 'First',
      instruction: 'b',
      pinned: true,
    })
    expect(await findListed(colleague, id)).toMatchObject({ label: 'First', instruction: 'b', pinned: true })
    expect((await findListed(owner, id))?.instruction).toBeNull()
  })

  test('are hidden from members who have left', async () => {
    const leaver = await world.makeAccount({ organizationId: organization.id })
    const id = await share(leaver)
    await attach({ key: leaver.key }, organization.id, id)
    await patch({ key: leaver.key }, id, { ...texts, organization_id: organization.id })
    expect(await findListed(leaver, id)).toMatchObject(texts)
    await world.db`delete from account_organization_ids where account_id = ${leaver.id}`
    expect(await findListed(leaver, id)).toMatchObject({ ...noTexts, name: 'Shared', organization_ids: [] })
  })

  test('contain the name by which the list is sorted', async () => {
    const account = await world.makeAccount()
    const [one] = [await make(account, { name: 'alpha' }), await make(account, { name: 'beta' })]
    await patch({ key: account.key }, one.id, { name: 'Zulu' })
    expect((await list({ key: account.key })).body.artists.map(({ name }) => name)).toEqual(['beta', 'Zulu'])
  })

  test('are deleted with the roster row, and not before', async () => {
    const id = await share(owner, outsider)
    await patch({ key: owner.key }, id, texts)
    await remove({ key: outsider.key }, id)
    expect(await findListed(owner, id)).toMatchObject(texts)
    await post({ key: outsider.key }, { name: 'a' })
    await world.request('POST', '/api/accounts/artists', { key: outsider.key, body: { artist_id: id } })
    await remove({ key: owner.key }, id)
    await world.request('POST', '/api/accounts/artists', { key: owner.key, body: { artist_id: id } })
    expect(await findListed(owner, id)).toMatchObject({ ...noTexts, name: 'Shared' })
  })

  test('of an organization are kept while the artist is attached to it', async () => {
    const asOrganization = { account_id: organization.id }
    const id = await share(owner)
    await world.request('POST', '/api/accounts/artists', { key: owner.key, body: { ...asOrganization, artist_id: id } })
    await attach({ key: owner.key }, organization.id, id)
    await patch({ key: owner.key }, id, { ...texts, ...asOrganization })
    expect(await findListed(colleague, id, { org_id: organization.id })).toMatchObject(texts)
    expect((await remove({ key: owner.key }, id, asOrganization)).status).toBe(200)
    expect(await findListed(colleague, id, { org_id: organization.id })).toMatchObject(texts)
  })
})

test('an admin has access to every artist and writes to the workspace named in the request', async () => {
  await world.db`insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Admins')`
  const admin = await world.makeAccount({ organizationId: adminOrganizationId })
  const { id } = await make(outsider, { name: 'Theirs' })
  expect((await patch({ key: admin.key }, id, { label: 'For myself' })).body.artist.label).toBe('For myself')
  expect((await findListed(outsider, id))?.label).toBeNull()
  await patch({ key: admin.key }, id, { label: 'For them', account_id: outsider.id })
  expect((await findListed(outsider, id))?.label).toBe('For them')
  expect((await remove({ key: admin.key }, id)).status).toBe(409)
  expect((await remove({ key: admin.key }, id, { account_id: outsider.id })).status).toBe(200)
})
