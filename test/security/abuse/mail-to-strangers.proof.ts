import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'

type ErrorBody = { error: string | number; message?: string }

let world: World

beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: {
      RATE_LIMIT_INVITATIONS_PER_DAY: '4',
      RATE_LIMIT_INVITATIONS_PER_EMAIL: '2',
      RATE_LIMIT_RECIPIENTS_PER_DAY: '5',
    },
  })
})
afterAll(() => world.close())

const createAddress = (): string => `${randomUUID()}@example.com`
const createOrganization = async ({ key }: TestAccount, name = 'Ours'): Promise<string> => {
  const { body } = await world.request<{ organization: { id: string } }>('POST', '/api/organizations', {
    key,
    body: { name },
  })
  return body.organization.id
}
const invite = ({ key }: TestAccount, organization_id: string, email: string) =>
  world.request<ErrorBody>('POST', '/api/organizations/members', { key, body: { organization_id, email } })
const accept = async (email: string, organization_id: string) =>
  world.request('POST', '/api/organizations/members/accept', {
    bearer: await world.deps.issuer?.issue(email),
    body: { organization_id },
  })
const listEmails = (email: string) => world.db<{ subject: string; html: string; text: string }[]>`
  select log.subject, message ->> 'html' as html, message ->> 'text' as text
  from email_send_log log join mail_outbox using (id) where recipients @> array[${email}] order by log.created_at`
const readRetryAfter = ({ headers }: { headers: Headers }): number => Number(headers.get('retry-after'))

const send = ({ key }: TestAccount, body: object) =>
  world.request<ErrorBody>('POST', '/api/emails', { key, body: { text: 'x', ...body } })
const addCard = (accountId: string) => world.db`
  insert into payment_customers (account_id, customer_id, default_card)
  values (${accountId}, ${`cus_${accountId}`}, '{"id":"card"}')`

describe('an invitation to an outside address', () => {
  test.each(['https://evil.example', 'Your bank: call +1 555 0100', '<img src=x>', 'Acme\u202Eevil'])(
    'does not contain the name of the organization %j',
    async (name) => {
      const [sender, email] = [await world.makeAccount(), createAddress()]
      await world.db`update accounts set name = ${name} where id = ${sender.id}`
      expect((await invite(sender, await createOrganization(sender, name), email)).status).toBe(200)
      const other = createAddress()
      await invite(sender, await createOrganization(sender), other)
      const [[mail], [neutral]] = [await listEmails(email), await listEmails(other)]
      expect(mail).toEqual(neutral)
      expect(mail?.subject).toBe('Invitation to an organization')
    },
  )

  test('names the organization, but never as a link, once the recipient has accepted any invitation', async () => {
    const [sender, other, email] = [await world.makeAccount(), await world.makeAccount(), createAddress()]
    const first = await createOrganization(sender)
    await invite(sender, first, email)
    const { status, body } = await accept(email, first)
    expect(status).toBe(200)
    // An account that has accepted an invitation and left is not an outside address.
    await world.request(
      'DELETE',
      `/api/organizations/members?organization_id=${first}&account_id=${String(body['account_id'])}`,
      { key: sender.key },
    )
    await invite(other, await createOrganization(other, 'Night shift'), email)
    expect((await listEmails(email)).map(({ subject }) => subject)).toEqual([
      'Invitation to an organization',
      'Invitation to Night shift',
    ])
    await world.db`delete from rate_counts where name = ${`invitations-to:${email}`}`
    await invite(other, await createOrganization(other, 'evil.example'), email)
    expect((await listEmails(email)).map(({ subject }) => subject).slice(2)).toEqual(['Invitation to an organization'])
  })

  test('above the daily limit of the account, across all its organizations, returns 429 and stores nothing', async () => {
    const sender = await world.makeAccount()
    const organizations = await Promise.all([1, 2, 3].map(() => createOrganization(sender)))
    const invited = Array.from({ length: 9 }, (_, index) => ({
      email: createAddress(),
      organization: organizations[index % 3],
    }))
    const responses = await Promise.all(
      invited.map(async ({ email, organization = '' }) => ({ email, ...(await invite(sender, organization, email)) })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(4)
    const refused = responses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    for (const response of refused) {
      expect(response.body.error).toBe('Too many invitations by this account within a day: at most 4')
      expect(readRetryAfter(response)).toBeGreaterThan(80_000)
      expect(await world.db`select 1 from account_emails where email = ${response.email}`).toEqual([])
    }
    expect((await invite(await world.makeAccount(), organizations[0] ?? '', createAddress())).status).toBe(403)
  })

  test('above the daily limit of the address, across all inviters, returns 429', async () => {
    const email = createAddress()
    const senders = await Promise.all([1, 2, 3, 4].map(() => world.makeAccount()))
    const responses = await Promise.all(
      senders.map(async (sender) => invite(sender, await createOrganization(sender), email.toUpperCase())),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429])
    const refused = responses.find(({ status }) => status === 429)
    expect(refused?.body.error).toBe('Too many invitations to this address within a day: at most 2')
    expect(await listEmails(email)).toHaveLength(2)
  })

  test('that is repeated sends no email and does not count toward the limits', async () => {
    const [sender, email] = [await world.makeAccount(), createAddress()]
    const organization = await createOrganization(sender)
    for (let time = 0; time < 6; time += 1) expect((await invite(sender, organization, email)).status).toBe(200)
    expect(await listEmails(email)).toHaveLength(1)
  })
})

describe('POST /api/emails', () => {
  test('without a card on file rejects an outside address, even next to an address of the account', async () => {
    const account = await world.makeAccount()
    for (const body of [{ to: [createAddress()] }, { to: [account.email], cc: [createAddress()] }])
      expect((await send(account, body)).status).toBe(403)
  })

  test('with a card on file limits the outside addresses per day, but not addresses of the account', async () => {
    const account = await world.makeAccount()
    await addCard(account.id)
    expect((await send(account, { to: [createAddress(), createAddress()], cc: [createAddress()] })).status).toBe(200)
    const responses = await Promise.all([1, 2, 3, 4].map(() => send(account, { to: [createAddress(), account.email] })))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429])
    const refused = responses.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      error: 429,
      message: 'Too many recipients within a day: at most 5 besides your own addresses',
    })
    expect(refused === undefined ? 0 : readRetryAfter(refused)).toBeGreaterThan(80_000)
    expect((await send(account, { to: [account.email] })).status).toBe(200)
  })

  test('does not count a test card as a card on file where email is sent externally', async () => {
    const account = await world.makeAccount()
    await addCard(account.id)
    const { deps } = world
    const originalConfig = deps.config
    deps.config = { ...originalConfig, MAIL_PROVIDER: 'smtp' }
    try {
      expect((await send(account, { to: [createAddress()] })).status).toBe(403)
    } finally {
      deps.config = originalConfig
    }
  })
})
