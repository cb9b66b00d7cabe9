import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issueBearer } from '../world/bearer.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createFakeProvider } from './fake-provider.ts'
import { createPaymentsApi, type PaymentsApi } from './payments-api.ts'

type PaymentList = { payments: { id: string; credits: number; state: string }[]; next_cursor: string | null }

const provider = createFakeProvider()
let world: World
let paymentsApi: PaymentsApi
let account: TestAccount
let outsider: TestAccount

beforeAll(async () => {
  world = await createWorld({
    payments: provider.port,
    settings: { RATE_LIMIT_CHECKOUTS_PER_MINUTE: '3', PAYMENT_TIMEOUT_SECONDS: '1' },
  })
  paymentsApi = createPaymentsApi(world, provider)
  account = await world.makeAccount()
  outsider = await world.makeAccount()
})
afterAll(() => world.close())
beforeEach(() => {
  provider.calls.length = 0
})

const buildPath = (name: string, id = account.id): string => `/api/accounts/${id}/${name}`

const reads = ['payment-method', 'payments', 'auto-top-up', 'subscription']
const changes: [string, string, object][] = [
  ['POST', 'payment-method', {}],
  ['DELETE', 'payment-method', {}],
  ['PUT', 'auto-top-up', { enabled: false }],
  ['POST', 'portal', {}],
]

describe('the payment routes of an account', () => {
  test('reject another account and an unknown account with the same message', async () => {
    const denied = { status: 403, body: { error: 'Access denied to this account' } }
    for (const id of [account.id, '00000000-0000-4000-8000-000000000000']) {
      for (const name of reads)
        expect(await world.request('GET', buildPath(name, id), { key: outsider.key })).toMatchObject(denied)
      for (const [method, name, body] of changes)
        expect(await world.request(method, buildPath(name, id), { key: outsider.key, body })).toMatchObject(denied)
    }
    expect(provider.calls).toEqual([])
  })

  test('reject an invalid id', async () => {
    const response = await world.request('GET', buildPath('payments', 'x'), account)
    expect([response.status, response.body]).toEqual([400, { error: 'id must be a UUID', missing_fields: [] }])
  })

  test("let a member's bearer token read an organization but change nothing", async () => {
    const organization = await world.makeOrganization({ members: [account.id] })
    const bearer = await issueBearer(world, account.email)
    for (const name of reads)
      expect([name, (await world.request('GET', buildPath(name, organization.id), { bearer })).status]).toEqual([
        name,
        200,
      ])
    for (const [method, name, body] of changes)
      expect((await world.request(method, buildPath(name, organization.id), { bearer, body })).status).toBe(403)
  })

  test('let a run key read but change nothing', async () => {
    const key = await world.makeKey(account.id, { expiresAt: new Date(Date.now() + 60_000) })
    for (const name of reads) expect((await world.request('GET', buildPath(name), { key })).status).toBe(200)
    for (const [method, name, body] of changes)
      expect((await world.request(method, buildPath(name), { key, body })).status).toBe(403)
  })
})

describe('the payment method of an account', () => {
  test('is read without creating a customer', async () => {
    const newAccount = await world.makeAccount()
    expect((await world.request('GET', buildPath('payment-method', newAccount.id), newAccount)).status).toBe(200)
    expect(provider.calls).toEqual([])
  })

  test('has one page per Idempotency-Key, all for one customer', async () => {
    const newAccount = await world.makeAccount()
    const open = (key: string) =>
      world.request<{ id: string; url: string }>('POST', buildPath('payment-method', newAccount.id), {
        key: newAccount.key,
        body: { successUrl: 'https://app.example.com/cards' },
        headers: { 'idempotency-key': key },
      })
    const [first, again, other] = [await open('a'), await open('a'), await open('b')]
    expect(first).toMatchObject({ status: 200, body: { url: `https://pay.example/${first.body.id}` } })
    expect([again.body, other.body.id === first.body.id]).toEqual([first.body, false])
    expect(provider.requests.get(first.body.id)).toMatchObject({ mode: 'setup', customerId: `cus_${newAccount.id}` })
    expect(provider.listCalls('ensureCustomer')).toEqual([{ operation: 'ensureCustomer', key: newAccount.id }])
  })

  test('returns 502 when the provider fails', async () => {
    const buyer = await paymentsApi.makeBuyer()
    provider.refuse('getDefaultCard', 'invalid')
    expect(await world.request('GET', buildPath('payment-method', buyer.id), buyer)).toMatchObject({
      status: 502,
      body: { error: 'The payment provider failed' },
    })
  })

  test('returns 502 after the time limit of two requests when the provider does not respond', async () => {
    const buyer = await paymentsApi.makeBuyer()
    const respondAgain = provider.silence('getDefaultCard')
    const before = performance.now()
    const response = await world.request('GET', buildPath('payment-method', buyer.id), buyer)
    respondAgain()
    expect(response).toMatchObject({ status: 502, body: { error: 'The payment provider did not respond in time' } })
    expect(performance.now() - before).toBeLessThan(10_000)
  })

  test('counts as on file once a read returns it, even before the webhook of its checkout arrives', async () => {
    const account = await world.makeAccount()
    const customerId = `cus_${account.id}`
    await world.db`insert into payment_customers (account_id, customer_id) values (${account.id}, ${customerId})`
    const sendMail = () =>
      world.request('POST', '/api/emails', {
        key: account.key,
        body: { to: ['stranger@example.org'], subject: 'Hello', text: 'Hi' },
      })
    provider.addCard(customerId)
    expect((await sendMail()).status).toBe(403)
    const paymentMethod = await world.request('GET', buildPath('payment-method', account.id), account)
    expect(paymentMethod).toMatchObject({ status: 200, body: { card: { last4: '4242' } } })
    expect((await sendMail()).status).toBe(200)
  })
})

describe('GET /api/accounts/{id}/payments', () => {
  test('lists purchases newest first, in pages, and rejects a cursor of another account', async () => {
    const buyer = await paymentsApi.makeBuyer()
    for (const credits of [1_000_000, 2_000_000, 3_000_000]) await paymentsApi.buy(buyer, credits)
    const page = (query: string, id = buyer.id, key = buyer.key) =>
      world.request<PaymentList>('GET', `${buildPath('payments', id)}?${query}`, { key })
    const first = (await page('limit=2')).body
    expect(first.payments.map(({ credits, state }) => [credits, state])).toEqual([
      [3_000_000, 'pending'],
      [2_000_000, 'pending'],
    ])
    const cursor = encodeURIComponent(first.next_cursor ?? '')
    const second = (await page(`limit=2&cursor=${cursor}`)).body
    expect([second.payments.map(({ credits }) => credits), second.next_cursor]).toEqual([[1_000_000], null])
    expect((await page(`cursor=${cursor}`, outsider.id, outsider.key)).status).toBe(400)
    expect((await page(`cursor=${cursor}x`)).status).toBe(400)
    expect((await page('cursor=x', buyer.id, outsider.key)).status).toBe(400)
    expect((await page('', buyer.id, outsider.key)).status).toBe(403)
    expect((await page('limit=101')).status).toBe(400)
  })
})

const put = (payer: TestAccount, body: object) =>
  world.request('PUT', buildPath('auto-top-up', payer.id), { key: payer.key, body })

describe('PUT /api/accounts/{id}/auto-top-up', () => {
  test('enables automatic top-up, which is off by default', async () => {
    const buyer = await paymentsApi.makeBuyer()
    expect((await world.request('GET', buildPath('auto-top-up', buyer.id), buyer)).body).toEqual({
      account_id: buyer.id,
      enabled: false,
      amountCents: null,
      thresholdCents: null,
      lastRunAt: null,
      lastError: null,
    })
    const settings = { enabled: true, amountCents: 2000, thresholdCents: 0 }
    expect(await put(buyer, settings)).toMatchObject({ status: 200, body: { account_id: buyer.id, ...settings } })
    expect((await put(buyer, { enabled: false })).body).toMatchObject({ enabled: false, amountCents: 2000 })
  })

  test('requires a card on file', async () => {
    const response = await put(account, { enabled: true, amountCents: 500, thresholdCents: 0 })
    expect([response.status, response.body]).toEqual([400, { error: 'enabled requires a card on file' }])
  })

  test.each([
    [{}, 'enabled is required'],
    [{ enabled: 'yes' }, 'enabled must be true or false'],
    [{ enabled: true }, 'amountCents is required'],
    [{ enabled: true, amountCents: 500 }, 'thresholdCents is required'],
    [{ enabled: true, amountCents: 499, thresholdCents: 0 }, 'amountCents must be at least 500'],
    [{ enabled: true, amountCents: 100_001, thresholdCents: 0 }, 'amountCents must be at most 100000'],
    [{ enabled: true, amountCents: 500, thresholdCents: 500 }, 'thresholdCents must be below amountCents'],
    [{ enabled: true, amountCents: 500, thresholdCents: -1 }, 'thresholdCents must be at least 0'],
  ])('rejects %j', async (body, error) => {
    expect(await put(await paymentsApi.makeBuyer(), body)).toMatchObject({ status: 400, body: { error } })
  })
})

test('an account, or a client address without an account, can start three purchases a minute', async () => {
  const buyer = await paymentsApi.makeBuyer()
  const statuses: number[] = []
  for (let time = 0; time < 4; time += 1) statuses.push((await paymentsApi.buy(buyer, 1_000_000)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  const anonymous: number[] = []
  for (let time = 0; time < 4; time += 1)
    anonymous.push((await world.request('POST', '/api/subscriptions/sessions')).status)
  expect(anonymous).toEqual([200, 200, 200, 429])
})
