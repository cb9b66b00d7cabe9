import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFakeProvider } from '../payments/fake-provider.ts'
import { createPaymentsApi, type PaymentsApi } from '../payments/payments-api.ts'
import { createWorld, type Sent, type World } from '../world/world.ts'

const provider = createFakeProvider()
let world: World
let paymentsApi: PaymentsApi

beforeAll(async () => {
  world = await createWorld({
    worker: false,
    payments: provider.port,
    settings: {
      RATE_LIMIT_CHECKOUTS_PER_MINUTE: '0',
      // The fake provider replaces the embedded provider, which has a price for each plan.
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_none',
      STRIPE_WEBHOOK_SECRET: 'whsec_none',
      PRO_PRICE_ID: 'price_pro',
    },
  })
  paymentsApi = createPaymentsApi(world, provider)
})
afterAll(() => world.close())
beforeEach(() => {
  provider.calls.length = 0
})

type SubscribeBody = { id: string; url: string; error: string }

const path = '/api/subscriptions/sessions'
const subscribe = (sent: Sent = {}) => world.request<SubscribeBody>('POST', path, sent)

/** Buys a subscription for the account on the checkout page and reports it through the webhook. */
const buy = async (account: { id: string; key: string }, status = 'active') => {
  const { body } = await subscribe({ key: account.key })
  const { metadata } = provider.requests.get(body.id) ?? { metadata: {} }
  const subscription = paymentsApi.addSubscription({ status, customerId: `cus_${account.id}`, metadata })
  const { subscriptionId, customerId } = subscription
  await paymentsApi.reportCheckout(
    paymentsApi.completeCheckout(body.id, { subscriptionId, customerId, email: 'someone@else.example' }),
  )
  return subscription
}

const reportChange = ({ subscriptionId }: { subscriptionId: string }) =>
  paymentsApi.sendEvent({ type: 'subscription_changed', subscriptionId })

const read = async (account: { id: string; key: string }) =>
  (await world.request('GET', `/api/accounts/${account.id}/subscription`, account)).body

describe('POST /api/subscriptions/sessions', () => {
  test('without credentials creates no customer and no account', async () => {
    const { status, body } = await subscribe({ body: { successUrl: 'https://app.example.com/welcome' } })
    expect([status, body]).toEqual([200, { id: body.id, url: `https://pay.example/${body.id}` }])
    const request = provider.requests.get(body.id)
    expect(request).toMatchObject({
      mode: 'subscription',
      priceId: 'price_pro',
      trialDays: 30,
      successUrl: 'https://app.example.com/welcome',
    })
    expect([request?.customerId, request?.metadata['accountId']]).toEqual([undefined, undefined])
  })

  test("with credentials buys for the caller's account, once per Idempotency-Key", async () => {
    const account = await world.makeAccount()
    const headers = { 'idempotency-key': 'one' }
    const [first, again] = [
      await subscribe({ key: account.key, headers }),
      await subscribe({ key: account.key, headers }),
    ]
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    expect(provider.requests.get(first.body.id)).toMatchObject({
      customerId: `cus_${account.id}`,
      metadata: { accountId: account.id },
    })
  })

  test('ignores the Idempotency-Key of an anonymous request', async () => {
    const headers = { 'idempotency-key': 'one' }
    expect((await subscribe({ headers })).body.id).not.toBe((await subscribe({ headers })).body.id)
  })

  test('rejects wrong credentials, and an account id without credentials', async () => {
    const account = await world.makeAccount()
    expect((await subscribe({ key: `sk_${'x'.repeat(43)}` })).status).toBe(401)
    expect((await subscribe({ headers: { authorization: '' } })).status).toBe(401)
    expect(await subscribe({ body: { accountId: account.id } })).toMatchObject({
      status: 401,
      body: { error: 'accountId requires credentials' },
    })
    const outsider = await world.makeAccount()
    expect((await subscribe({ key: outsider.key, body: { accountId: account.id } })).status).toBe(403)
  })

  test.each([
    [{ plan: 'free' }, 'plan must be one of starter, pro'],
    [{ plan: 'starter' }, 'starter_unavailable'],
    [{ successUrl: 'javascript:alert(1)' }, 'successUrl must be an absolute https URL'],
    [{ cancelUrl: 7 }, 'cancelUrl must be a string'],
  ])('rejects %j', async (body, error) => {
    expect(await subscribe({ body })).toMatchObject({ status: 400, body: { error } })
  })

  test('grants the trial once, and rejects a second subscription while one is active', async () => {
    const account = await world.makeAccount()
    const subscription = await buy(account, 'trialing')
    expect(await subscribe({ key: account.key })).toMatchObject({ status: 409, body: { error: 'already_subscribed' } })
    subscription.status = 'canceled'
    await reportChange(subscription)
    const { body } = await subscribe({ key: account.key })
    expect(provider.requests.get(body.id)).toMatchObject({ trialDays: 0 })
  })

  test('returns one page with the trial for equal requests, and pages without the trial for other requests', async () => {
    const account = await world.makeAccount()
    const sendRequest = (body: object) => subscribe({ key: account.key, body })
    const targets = [1, 2, 3, 4].map((n) => ({ successUrl: `https://app.example.com/${n % 2}` }))
    const responses = await Promise.all(targets.map(sendRequest))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const trials = responses.map(({ body }) => ({ id: body.id, days: provider.requests.get(body.id)?.trialDays }))
    const withTrial = trials.filter(({ days }) => days === 30)
    expect([withTrial.length, new Set(withTrial.map(({ id }) => id)).size]).toEqual([2, 1])
    expect(trials.filter(({ days }) => days === 0)).toHaveLength(2)
  })

  test('grants the trial again after the page that offered it has expired', async () => {
    const account = await world.makeAccount()
    const first = await subscribe({ key: account.key, body: { successUrl: 'https://app.example.com/1' } })
    await world.db`
      update trial_offers set opened_at = now() - interval '25 hours' where account_id = ${account.id}`
    const second = await subscribe({ key: account.key, body: { successUrl: 'https://app.example.com/2' } })
    expect(second.body.id).not.toBe(first.body.id)
    expect(provider.requests.get(second.body.id)).toMatchObject({ trialDays: 30 })
  })

  test('returns 503 with Retry-After when the provider is unreachable', async () => {
    provider.refuse('createCheckout', 'unavailable', 'unavailable', 'unavailable')
    const response = await subscribe()
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true])
  })
})

describe('GET /api/accounts/{id}/subscription', () => {
  test('shows that an account has no subscription', async () => {
    expect(await read(await world.makeAccount())).toEqual({
      isPro: false,
      status: 'none',
      plan: null,
      source: null,
      name: null,
      amountCents: null,
      currency: null,
      interval: null,
      currentPeriodEnd: null,
      cancelAtPeriodEnd: null,
    })
  })

  test("shows the purchase and the provider's latest state, regardless of the order of events", async () => {
    const account = await world.makeAccount()
    const subscription = await buy(account)
    expect(await read(account)).toMatchObject({
      isPro: true,
      status: 'active',
      plan: 'pro',
      source: 'account',
      amountCents: 9900,
      currentPeriodEnd: subscription.periodEnd.toISOString(),
      cancelAtPeriodEnd: false,
    })
    subscription.cancelAt = subscription.periodEnd
    await Promise.all(Array.from({ length: 5 }, () => reportChange(subscription)))
    expect(await read(account)).toMatchObject({ isPro: true, status: 'active', cancelAtPeriodEnd: true })
    subscription.status = 'canceled'
    await reportChange(subscription)
    expect(await read(account)).toMatchObject({ isPro: false, status: 'canceled', plan: null, source: null })
  })

  test("shows an organization's subscription to its members", async () => {
    const account = await world.makeAccount()
    const organization = await world.makeOrganization({ members: [account.id] })
    const { body } = await subscribe({ key: account.key, body: { accountId: organization.id } })
    const { metadata } = provider.requests.get(body.id) ?? { metadata: {} }
    const subscription = paymentsApi.addSubscription({ customerId: `cus_${organization.id}`, metadata })
    await paymentsApi.reportCheckout(
      paymentsApi.completeCheckout(body.id, {
        subscriptionId: subscription.subscriptionId,
        customerId: subscription.customerId,
      }),
    )
    expect(await read(account)).toMatchObject({ isPro: true, plan: 'pro', source: 'organization' })
    expect(await read({ id: organization.id, key: account.key })).toMatchObject({ isPro: true, source: 'account' })
  })

  test('does not replace a state that was read from the provider later', async () => {
    const account = await world.makeAccount()
    const subscription = await buy(account)
    await world.db`
      update subscriptions set read_at = now() + interval '1 hour', status = 'past_due'
      where subscription_id = ${subscription.subscriptionId}`
    await reportChange(subscription)
    expect(await read(account)).toMatchObject({ status: 'past_due' })
  })
})

describe('the portal', () => {
  test('opens through both routes for the customer of the subscription', async () => {
    const account = await world.makeAccount()
    await buy(account)
    const url = `https://pay.example/portal/cus_${account.id}`
    for (const route of ['/api/subscriptions/portal', `/api/accounts/${account.id}/portal`])
      expect(
        await world.request('POST', route, { key: account.key, body: { returnUrl: 'https://app.example.com' } }),
      ).toMatchObject({
        status: 200,
        body: { url },
      })
  })

  test('returns 400 without a subscription and 502 when the provider fails', async () => {
    const account = await world.makeAccount()
    const portal = () => world.request('POST', '/api/subscriptions/portal', account)
    expect(await portal()).toMatchObject({ status: 400, body: { error: 'The account has no subscription' } })
    await buy(account)
    provider.refuse('createPortal', 'unavailable', 'unavailable', 'unavailable')
    expect(await portal()).toMatchObject({ status: 502, body: { error: 'The payment provider failed' } })
  })
})
