import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, eventually, type Sent, type TestAccount, type World } from '../world/world.ts'

type Membership = { id: string; account_id: string; state: string; error: string }
type OwnMembership = {
  id: string
  organization_id: string
  organization_name: string
  organization_image: null
  state: string
}

const adminOrganizationId = randomUUID()
let world: World
let owner: TestAccount
let outsider: TestAccount
let admin: TestAccount
let organizationId: string

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { ADMIN_ORGANIZATION_ID: adminOrganizationId } })
  owner = await world.makeAccount()
  outsider = await world.makeAccount()
  admin = await world.makeAccount()
  await world.db`insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Admins')`
  await world.db`
    insert into account_organization_ids (account_id, organization_id, state)
    values (${admin.id}, ${adminOrganizationId}, 'member')`
})
beforeEach(async () => {
  organizationId = (await createOrganization('Ours')).body.organization.id
})
afterAll(() => world.close())

const createOrganization = (name: unknown, sent: Sent = { key: owner.key }) =>
  world.request<{ organization: { id: string; name: string } }>('POST', '/api/organizations', {
    ...sent,
    body: { name },
  })
const listOwn = (query = '', sent: Sent = { key: owner.key }) =>
  world.request<{ organizations: OwnMembership[] }>('GET', `/api/organizations${query}`, sent)
const listMembers = (sent: Sent = { key: owner.key }, query = '') =>
  world.request<{ members: (Membership & { name: string | null })[] }>(
    'GET',
    `/api/organizations/members?organization_id=${organizationId}${query}`,
    sent,
  )
const invite = (target: object, sent: Sent = { key: owner.key }) =>
  world.request<Membership>('POST', '/api/organizations/members', {
    ...sent,
    body: { organization_id: organizationId, ...target },
  })
const accept = (sent: Sent, id = organizationId) =>
  world.request<Membership>('POST', '/api/organizations/members/accept', { ...sent, body: { organization_id: id } })
const remove = (accountId: string, sent: Sent = { key: owner.key }, id = organizationId) =>
  world.request('DELETE', `/api/organizations/members?organization_id=${id}&account_id=${accountId}`, sent)
const issueBearerFor = async ({ email }: TestAccount): Promise<Sent> => ({
  bearer: await world.deps.issuer?.issue(email),
})
const readAccount = (account: TestAccount, target: string) =>
  world.request('GET', `/api/accounts/${target}`, { key: account.key })

const listInvitationEmails = (accountId: string) => world.db<{ subject: string }[]>`
  select subject from email_send_log where account_id = ${accountId} and reference like 'invitation:%'`

describe('POST /api/organizations', () => {
  test('adds the caller, with an API key or a bearer token, as the first member and grants no credits', async () => {
    for (const sent of [{ key: owner.key }, await issueBearerFor(owner)]) {
      const created = await createOrganization('  A label ', sent)
      const { id } = created.body.organization
      expect([created.status, created.body]).toEqual([
        200,
        { status: 'success', organization: { id, name: 'A label' } },
      ])
      const [row] = await world.db`select remaining_credits as credits from credit_balances where account_id = ${id}`
      expect(row).toEqual({ credits: 0 })
      expect(await world.db`select 1 from credit_ledger where account_id = ${id}`).toHaveLength(0)
      expect((await listOwn('?limit=100')).body.organizations).toContainEqual({
        id: expect.any(String),
        organization_id: id,
        organization_name: 'A label',
        organization_image: null,
        state: 'member',
      })
    }
  })

  test('creates one organization for concurrent requests with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const name = randomUUID()
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => createOrganization(name, { key: owner.key, headers })),
    )
    expect(new Set(responses.map(({ status }) => status))).toContain(200)
    for (const { status } of responses) expect([200, 409]).toContain(status)
    expect(await world.db`select 1 from accounts where name = ${name}`).toHaveLength(1)
  })

  test.each([
    ['', 'name must have 1 to 200 characters'],
    [undefined, 'name is required'],
    [7, 'name must be a string'],
  ])('rejects the name %j', async (name, error) => {
    expect(await createOrganization(name)).toMatchObject({ status: 400, body: { error, missing_fields: ['name'] } })
  })
})

describe('GET /api/organizations', () => {
  test('lists the memberships of the caller and of colleagues, by state and in pages, and of no other account', async () => {
    const guest = await world.makeAccount()
    await invite({ account_id: guest.id })
    expect((await listOwn('', { key: guest.key })).body.organizations).toEqual([])
    expect((await listOwn('?state=invited', { key: guest.key })).body.organizations).toMatchObject([
      { organization_id: organizationId, state: 'invited' },
    ])
    await accept({ key: guest.key })
    expect((await listOwn(`?account_id=${guest.id}`)).body.organizations).toMatchObject([
      { organization_id: organizationId, state: 'member' },
    ])
    const all = (await listOwn()).body.organizations
    const pages = await Promise.all(all.map((_, offset) => listOwn(`?limit=1&offset=${offset}`)))
    expect(pages.flatMap(({ body }) => body.organizations)).toEqual(all)
    expect((await listOwn('?offset=1000')).body.organizations).toEqual([])
    expect((await listOwn(`?account_id=${guest.id}`, { key: outsider.key })).status).toBe(403)
  })

  test.each([
    ['?state=other', 'state'],
    ['?limit=101', 'limit'],
    ['?offset=1000001', 'offset'],
    ['?account_id=x', 'account_id'],
  ])('rejects %s', async (query, field) => {
    expect(await listOwn(query)).toMatchObject({ status: 400, body: { missing_fields: [field] } })
  })
})

describe('an invitation', () => {
  test('grants no membership until the invited account accepts it', async () => {
    const guest = await world.makeAccount()
    const invited = await invite({ account_id: guest.id.toUpperCase() })
    expect(invited).toMatchObject({ status: 200, body: { status: 'success', account_id: guest.id, state: 'invited' } })
    expect((await readAccount(owner, guest.id)).status).toBe(403)
    expect((await listMembers({ key: guest.key })).status).toBe(403)
    expect((await accept({ key: outsider.key })).status).toBe(404)
    const accepted = await accept(await issueBearerFor(guest))
    expect(accepted).toMatchObject({
      status: 200,
      body: { id: invited.body.id, account_id: guest.id, state: 'member' },
    })
    expect((await accept({ key: guest.key })).body).toEqual(accepted.body)
    expect((await invite({ account_id: guest.id })).body).toEqual({ ...accepted.body })
    expect((await readAccount(owner, guest.id)).status).toBe(200)
    expect((await listMembers({ key: guest.key })).body.members).toMatchObject([
      { account_id: owner.id, state: 'member', name: null },
      { account_id: guest.id, state: 'member' },
    ])
  })

  test('does not show the name of an invited address before it is accepted', async () => {
    const guest = await world.makeAccount()
    await world.db`update accounts set name = 'Ada' where id = ${guest.id}`
    await invite({ email: guest.email })
    const findMember = async () => (await listMembers()).body.members.find(({ account_id: id }) => id === guest.id)
    expect(await findMember()).toMatchObject({ state: 'invited', name: null })
    await accept({ key: guest.key })
    expect(await findMember()).toMatchObject({ state: 'member', name: 'Ada' })
  })

  test('sends at most one email in 24 hours, even if it is withdrawn and sent again', async () => {
    const guest = await world.makeAccount()
    const rows = new Set()
    for (let time = 0; time < 3; time += 1) rows.add((await invite({ email: guest.email })).body.id)
    expect(rows.size).toBe(1)
    await remove(guest.id)
    await invite({ account_id: guest.id })
    expect(await listInvitationEmails(guest.id)).toEqual([{ subject: 'Invitation to an organization' }])
    await world.db`update invitation_mails set mailed_at = now() - interval '25 hours'`
    await invite({ account_id: guest.id })
    expect(await listInvitationEmails(guest.id)).toHaveLength(2)
  })

  test('to an unknown address creates the person once, with start credits and no welcome email', async () => {
    const email = `New.${randomUUID()}@Example.com`
    const responses = await Promise.all(Array.from({ length: 8 }, () => invite({ email })))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
    const accountId = responses[0]?.body.account_id ?? ''
    const [row] = await world.db`
      select kind, email, remaining_credits as credits from accounts join account_emails on account_id = accounts.id
      join credit_balances using (account_id) where accounts.id = ${accountId}`
    expect(row).toEqual({ kind: 'person', email: email.toLowerCase(), credits: world.config.START_CREDITS })
    const mails = await world.db<{ reference: string }[]>`
      select reference from email_send_log where account_id = ${accountId}`
    expect(mails.map(({ reference }) => reference.split(':')[0])).toEqual(['invitation'])
    const token = await world.deps.issuer?.issue(email)
    expect((await accept({ bearer: token })).body).toMatchObject({ account_id: accountId, state: 'member' })
    expect(await world.db`select 1 from email_send_log where reference = ${`welcome:${accountId}`}`).toHaveLength(0)
  })

  test('is rejected unless it names exactly one target, which must be a person', async () => {
    const artist = await world.makeArtist()
    for (const account_id of [randomUUID(), artist.id, organizationId])
      expect(await invite({ account_id })).toMatchObject({
        status: 400,
        body: { error: 'account_id must be the account of a person', missing_fields: ['account_id'] },
      })
    for (const target of [{}, { account_id: owner.id, email: owner.email }])
      expect(await invite(target)).toMatchObject({ status: 400, body: { missing_fields: [] } })
    expect(await invite({ email: 'x' })).toMatchObject({ status: 400, body: { missing_fields: ['email'] } })
    expect(await invite({ organization_id: 'x', email: owner.email })).toMatchObject({
      status: 400,
      body: { missing_fields: ['organization_id'] },
    })
  })
})

/** Sends one request to each route that requires the manage rule. */
const sendManageRequests = (id: string, sent: Sent) => [
  world.request('GET', `/api/organizations/members?organization_id=${id}`, sent),
  invite({ organization_id: id, email: `${randomUUID()}@example.com` }, sent),
  remove(randomUUID(), sent, id),
]

const listRefusals = async (id: string, sent: Sent) =>
  (await Promise.all(sendManageRequests(id, sent))).map(({ status, body }) => [
    status,
    'error' in body ? body.error : undefined,
  ])

test('only members and admins can manage an organization, and an unknown organization returns 404 to them', async () => {
  const denied = [403, 'Access denied to this organization']
  const unknown = [404, 'Organization not found']
  const succeeded = [200, undefined]
  expect(await listRefusals(organizationId, { key: outsider.key })).toEqual([denied, denied, denied])
  for (const sent of [{ key: owner.key }, await issueBearerFor(owner), { key: admin.key }]) {
    expect(await listRefusals(organizationId, sent)).toEqual([succeeded, succeeded, succeeded])
    expect(await listRefusals(randomUUID(), sent)).toEqual([unknown, unknown, unknown])
    expect(await listRefusals(owner.id, sent)).toEqual([unknown, unknown, unknown])
  }
  expect((await accept({ key: owner.key }, randomUUID())).body).toMatchObject({ error: 'Invitation not found' })
})

describe('a membership', () => {
  test('can be ended by any member, including its holder, and its access ends immediately', async () => {
    for (const leaves of [true, false]) {
      const guest = await world.makeAccount({ organizationId })
      expect((await readAccount(guest, owner.id)).status).toBe(200)
      expect(await remove(guest.id, { key: leaves ? guest.key : owner.key })).toMatchObject({
        status: 200,
        body: { status: 'success' },
      })
      for (const target of [owner.id, organizationId]) expect((await readAccount(guest, target)).status).toBe(403)
      expect((await remove(guest.id)).status).toBe(200)
    }
  })

  test('of the last member cannot be ended, even when the last two members leave concurrently', async () => {
    expect(await remove(owner.id)).toMatchObject({
      status: 409,
      body: { status: 'error', error: 'The last member of an organization cannot be removed' },
    })
    const guest = await world.makeAccount({ organizationId })
    await invite({ account_id: outsider.id })
    const responses = await Promise.all([owner, guest].map(({ id, key }) => remove(id, { key })))
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    const remainingRows = await world.db`
      select 1 from account_organization_ids where organization_id = ${organizationId} and state = 'member'`
    expect(remainingRows).toHaveLength(1)
  })

  test('can be declined before it begins', async () => {
    const guest = await world.makeAccount()
    await invite({ account_id: guest.id })
    expect((await remove(guest.id, { key: guest.key })).status).toBe(200)
    expect((await accept({ key: guest.key })).status).toBe(404)
    expect(await remove(guest.id, { key: guest.key }, randomUUID())).toMatchObject({ status: 404 })
  })

  test('is listed in pages', async () => {
    for (let guest = 0; guest < 3; guest += 1) await world.makeAccount({ organizationId })
    const all = (await listMembers()).body.members
    expect(all).toHaveLength(4)
    const pages = await Promise.all(
      all.map((_, offset) => listMembers({ key: owner.key }, `&limit=1&offset=${offset}`)),
    )
    expect(pages.flatMap(({ body }) => body.members)).toEqual(all)
    expect(await listMembers({ key: owner.key }, '&limit=201')).toMatchObject({ status: 400 })
  })
})

test('a new account gets one welcome email, on its first request with a bearer token', async () => {
  const email = `${randomUUID()}@example.com`
  const tokens = await Promise.all(Array.from({ length: 6 }, async () => world.deps.issuer?.issue(email)))
  const responses = await Promise.all(
    tokens.map((bearer) => world.request<{ accountId: string }>('GET', '/api/accounts/id', { bearer })),
  )
  const [accountId] = new Set(responses.map(({ body }) => body.accountId))
  const mails = await eventually('the welcome', async () => {
    const rows = await world.db<{ to: string[] }[]>`
      select recipients as to from email_send_log where reference = ${`welcome:${accountId}`}`
    return rows.length > 0 ? rows : undefined
  })
  expect(mails).toHaveLength(1)
})
