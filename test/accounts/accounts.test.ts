import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Sent, type TestAccount, type World } from '../world/world.ts'

type Account = Record<string, unknown> & { id: string; name: string | null; knowledges: { url: string }[] }
type ResponseBody = { status: string; error: string; account: Account }

const adminOrganizationId = randomUUID()
let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
let organization: { id: string }

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { ADMIN_ORGANIZATION_ID: adminOrganizationId } })
  owner = await world.makeAccount()
  colleague = await world.makeAccount()
  outsider = await world.makeAccount()
  organization = await world.makeOrganization({ name: 'Ours', members: [owner.id, colleague.id] })
})
afterAll(() => world.close())

const read = (id: string, sent: Sent = { key: owner.key }) =>
  world.request<ResponseBody>('GET', `/api/accounts/${encodeURIComponent(id)}`, sent)
const change = (body: unknown, sent: Sent = { key: owner.key }) =>
  world.request<ResponseBody>('PATCH', '/api/accounts', { ...sent, body })
const issueBearerFor = async ({ email }: TestAccount): Promise<Sent> => ({
  bearer: await world.deps.issuer?.issue(email),
})

test('GET /api/accounts/id returns the caller and writes nothing to the ledger', async () => {
  const { id, key } = await world.makeAccount()
  const before = await world.db`select id from credit_ledger where account_id = ${id}`
  const response = await world.request('GET', '/api/accounts/id?other=ignored', { key })
  expect([response.status, response.body]).toEqual([200, { status: 'success', accountId: id, account_id: id }])
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await world.db`select id from credit_ledger where account_id = ${id}`).toEqual(before)
})

test('account_id and accountId name the same account, and are rejected by a route that does not use them', async () => {
  const { id, key } = await world.makeAccount()
  const unusedField = await world.request('GET', `/api/accounts/id?account_id=${id}`, { key })
  expect([unusedField.status, unusedField.body]).toMatchObject([400, { missing_fields: ['account_id'] }])
  expect(unusedField.body['error']).toBe('account_id is not a field of this query')
  for (const field of ['account_id', 'accountId']) {
    const body = { [field]: owner.id, credits: 1_000_000, successUrl: 'https://app.example' }
    const outsider = await world.request('POST', '/api/credits/sessions', { key, body })
    expect([field, outsider.status]).toEqual([field, 403])
    expect((await world.request('GET', `/api/artists?${field}=${owner.id}`, { key })).status).toBe(403)
  }
  const body = { account_id: id, accountId: owner.id, name: 'Both' }
  expect((await change(body)).body).toMatchObject({ missing_fields: ['accountId'] })
})

describe('GET /api/accounts/{id}', () => {
  test('shows the caller every field, by id and by email in any letter case', async () => {
    const { id, email, key } = await world.makeAccount()
    const expected = {
      id,
      kind: 'person',
      name: null,
      image: null,
      instruction: null,
      organization: null,
      job_title: null,
      role_type: null,
      company_name: null,
      knowledges: [],
      emails: [email],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
    }
    for (const reference of [id, id.toUpperCase(), email, email.toUpperCase()])
      expect((await read(reference, { key })).body).toEqual({ status: 'success', account: expected })
  })

  test('shows colleagues and organizations, including to a bearer token', async () => {
    for (const sent of [{ key: owner.key }, await issueBearerFor(owner)]) {
      expect((await read(colleague.email, sent)).body.account.id).toBe(colleague.id)
      expect((await read(colleague.id, sent)).body.account.id).toBe(colleague.id)
      expect((await read(organization.id, sent)).body.account).toMatchObject({
        kind: 'organization',
        name: 'Ours',
        emails: [],
      })
    }
  })

  test('returns 403 for the id of another account, and 404 for an unknown id', async () => {
    const artist = await world.makeArtist({ rosterOf: owner.id })
    for (const id of [owner.id, organization.id])
      expect(await read(id, { key: outsider.key })).toMatchObject({
        status: 403,
        body: { error: 'Access denied to this account' },
      })
    expect((await read(artist.id)).status).toBe(403)
    expect(await read(randomUUID())).toMatchObject({ status: 404, body: { error: 'Account not found' } })
  })

  test('does not reveal by email whether an account exists', async () => {
    const denied = await read(outsider.email)
    const unknown = await read(`${randomUUID()}@example.com`)
    expect([denied.status, denied.text]).toEqual([404, unknown.text])
    expect(unknown.body).toEqual({ status: 'error', error: 'Account not found' })
  })

  test.each(['x', 'a b@example.com', '@example.com'])('rejects %j', async (id) => {
    expect(await read(id)).toMatchObject({
      status: 400,
      body: { error: 'id must be a UUID or an email address', missing_fields: [] },
    })
  })

  test('omits links that are not http or https', async () => {
    const { id, key } = await world.makeAccount()
    await world.db`
      insert into account_info (account_id, image, knowledges)
      values (${id}, 'javascript:alert(1)', '[{"name":"a","url":"data:text/html,x","type":""}]')`
    expect((await read(id, { key })).body.account).toMatchObject({
      image: null,
      knowledges: [{ name: 'a', url: null, type: '' }],
    })
  })
})

describe('PATCH /api/accounts', () => {
  const full = {
    name: '  A name ',
    image: 'https://example.com/a.png',
    instruction: ' kept as it is ',
    organization: ' Org ',
    job_title: 'Manager',
    role_type: 'label',
    company_name: 'Company',
    knowledges: [
      { name: 'first', url: 'https://example.com/k', type: 'text/plain' },
      { name: 'second', url: 'https://example.com/k', type: 'x' },
      { name: 'third', url: 'http://example.com/l', type: '' },
    ],
  }

  test('writes only the fields sent, and clears a field that is sent empty', async () => {
    const { id, key } = await world.makeAccount()
    const written = await change(full, { key })
    expect([written.status, written.body.account]).toEqual([
      200,
      expect.objectContaining({
        id,
        ...full,
        name: 'A name',
        organization: 'Org',
        knowledges: [full.knowledges[0], full.knowledges[2]],
      }),
    ])
    const cleared = { image: '', instruction: '', organization: '', job_title: ' ', role_type: '', knowledges: [] }
    expect((await change(cleared, { key })).body.account).toMatchObject({
      name: 'A name',
      image: null,
      instruction: null,
      organization: null,
      job_title: null,
      role_type: null,
      company_name: 'Company',
      knowledges: [],
    })
    expect((await read(id, { key })).body.account.updated_at).not.toBe(written.body.account['updated_at'])
  })

  test('writes for a colleague, and with a key also for an organization', async () => {
    const name = randomUUID()
    expect((await change({ account_id: colleague.id, name })).body.account).toMatchObject({ id: colleague.id, name })
    expect((await change({ account_id: organization.id.toUpperCase(), name })).body.account.name).toBe(name)
    expect((await change({ account_id: organization.id, name: 'other' }, await issueBearerFor(owner))).status).toBe(403)
    expect((await read(organization.id)).body.account.name).toBe(name)
  })

  test('ignores other fields, and writes nothing if the caller has no access', async () => {
    const other = { kind: 'artist', created_at: '2000-01-01', emails: ['x@example.com'], id: outsider.id }
    expect((await change({ name: 'A', ...other })).body.account).toMatchObject({
      id: owner.id,
      kind: 'person',
      emails: [owner.email],
    })
    expect(await change(other)).toMatchObject({ status: 400 })
    for (const account_id of [outsider.id, randomUUID()])
      expect(await change({ account_id, name: 'taken' })).toMatchObject({ status: 403 })
    expect((await read(outsider.id, { key: outsider.key })).body.account.name).toBeNull()
  })

  test.each<[string, unknown, (string | number)[]]>([
    ['nothing', {}, []],
    ['only the account', { account_id: randomUUID() }, []],
    ['an empty name', { name: ' ' }, ['name']],
    ['a name that is too long', { name: 'é'.repeat(201) }, ['name']],
    ['null', { name: null }, ['name']],
    ['an image that is not a URL', { image: 'x' }, ['image']],
    ['an image with another scheme', { image: 'javascript:alert(1)' }, ['image']],
    ['an image that is too long', { image: `https://example.com/${'x'.repeat(2048)}` }, ['image']],
    ['an instruction that is too long', { instruction: 'x'.repeat(10_001) }, ['instruction']],
    ['a title that is too long', { job_title: 'x'.repeat(201) }, ['job_title']],
    ['too many documents', { knowledges: Array.from({ length: 101 }, () => full.knowledges[0]) }, ['knowledges']],
    ['a document without a name', { knowledges: [{ url: 'https://a.b', type: '' }] }, ['knowledges', 0, 'name']],
    [
      'a document that is not a web address',
      { knowledges: [full.knowledges[0], { name: 'a', url: 'ftp://a.b', type: '' }] },
      ['knowledges', 1, 'url'],
    ],
    ['an account that is not a UUID', { account_id: 'x', name: 'A' }, ['account_id']],
  ])('rejects %s', async (_, body, missing_fields) => {
    expect(await change(body)).toMatchObject({ status: 400, body: { status: 'error', missing_fields } })
  })
})

test('/api/accounts has no methods that create, list or delete accounts', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const response = await world.request(method, '/api/accounts', {
      key: owner.key,
      ...(method !== 'GET' && { body: {} }),
    })
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'PATCH, OPTIONS'])
  }
  expect((await world.request('DELETE', `/api/accounts/${owner.id}`, { key: owner.key })).status).toBe(405)
})
