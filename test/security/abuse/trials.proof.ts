import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { debitIfCovered } from '../../../db/credits/ledger.ts'
import type { Tx } from '../../../db/postgres/client.ts'
import type { Subscription } from '../../../providers/payment/index.ts'
import { createFakeProvider } from '../../payments/fake-provider.ts'
import { createPaymentsApi, type PaymentsApi } from '../../payments/payments-api.ts'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'

const provider = createFakeProvider()
let world: World
let paymentsApi: PaymentsApi

beforeAll(async () => {
  world = await createWorld({
    worker: false,
    payments: provider.port,
    settings: { RATE_LIMIT_CHECKOUTS_PER_MINUTE: '0' },
  })
  paymentsApi = createPaymentsApi(world, provider)
})
afterAll(() => world.close())

const dayMs = 86_400_000
const refillAmount = 300_000_000

type Purchase = { email?: string; fingerprint?: string; status?: string; subscription?: Partial<Subscription> }

const pay = (sessionId: string, purchase: Purchase) => {
  const { metadata = {} } = provider.requests.get(sessionId) ?? {}
  const { status = 'trialing', email = `${randomUUID()}@example.com`, fingerprint } = purchase
  const subscription = paymentsApi.addSubscription({ status, metadata, ...purchase.subscription })
  const { subscriptionId, customerId } = subscription
  provider.addCard(customerId, undefined, fingerprint === undefined ? {} : { fingerprint })
  return { subscription, checkout: paymentsApi.completeCheckout(sessionId, { subscriptionId, customerId, email }) }
}

const buyAnonymously = async (purchase: Purchase = {}) => {
  const { body } = await world.request<{ id: string }>('POST', '/api/subscriptions/sessions')
  return pay(body.id, purchase)
}

const claim = async (account: TestAccount, { checkout }: { checkout: { sessionId: string } }) => {
  const { status } = await world.request('POST', '/api/subscriptions/claim', {
    key: account.key,
    body: { session_id: checkout.sessionId },
  })
  return status
}

/** Spends credits in amounts of one refill until the balance is insufficient. Returns the number of refills. */
const countRefills = async (accountId: string): Promise<number> => {
  for (let spent = 0; ; spent += 1) {
    const gate = await (world.db.begin((tx: Tx) =>
      debitIfCovered(tx, {
        accountId,
        amount: refillAmount,
        reference: `spend:${randomUUID()}`,
        usage: { source: 'api', modelId: 'POST /api/example' },
        plans: world.config.plans,
      }),
    ) as Promise<{ covered: boolean }>)
    if (!gate.covered) return spent
  }
}

const isPro = async ({ id, key }: { id: string; key: string }) =>
  (await world.request('GET', `/api/accounts/${id}/subscription`, { key })).body['isPro']

describe('the claims of one account', () => {
  test('refill its credits once for a trial if they are sent one after the other', async () => {
    const account = await world.makeAccount()
    const refills: number[] = []
    for (let round = 0; round < 3; round += 1) {
      expect(await claim(account, await buyAnonymously())).toBe(200)
      refills.push(await countRefills(account.id))
    }
    expect(refills).toEqual([1, 0, 0])
  })

  test('refill its credits once for a trial if they are sent concurrently', async () => {
    const account = await world.makeAccount()
    const purchases = await Promise.all(Array.from({ length: 4 }, () => buyAnonymously()))
    expect(await Promise.all(purchases.map((purchase) => claim(account, purchase)))).toEqual([200, 200, 200, 200])
    const counted = await world.db`select 1 from subscriptions where account_id = ${account.id} and trial_counts`
    expect(counted).toHaveLength(1)
    expect((await Promise.all([1, 2, 3].map(() => countRefills(account.id)))).reduce((a, b) => a + b)).toBe(1)
  })

  test('grant no second trial after the first was cancelled, and none after a paid plan', async () => {
    const trialAccount = await world.makeAccount()
    const payer = await world.makeAccount()
    for (const [account, status] of [[trialAccount, 'trialing'] as const, [payer, 'active'] as const]) {
      const first = await buyAnonymously({ status })
      await claim(account, first)
      expect(await isPro(account)).toBe(true)
      Object.assign(first.subscription, { status: 'canceled' })
      await paymentsApi.sendEvent({ type: 'subscription_changed', subscriptionId: first.subscription.subscriptionId })
      await claim(account, await buyAnonymously())
      expect(await isPro(account)).toBe(false)
      expect(await countRefills(account.id)).toBe(0)
    }
  })

  test('of paid subscriptions refill its credits once for overlapping periods, and again in the next period', async () => {
    const account = await world.makeAccount()
    const first = await buyAnonymously({ status: 'active' })
    for (const purchase of [
      first,
      await buyAnonymously({ status: 'active' }),
      await buyAnonymously({ status: 'active' }),
    ])
      await claim(account, purchase)
    expect(await countRefills(account.id)).toBe(1)
    // Moves the refill 29 days into the past so that its period has ended.
    await world.db`
      update credit_balances set refilled_at = refilled_at - interval '29 days',
        refilled_until = now() - interval '1 minute' where account_id = ${account.id}`
    const { subscriptionId } = first.subscription
    Object.assign(first.subscription, { periodStart: new Date(), periodEnd: new Date(Date.now() + 30 * dayMs) })
    await Promise.all([1, 2, 3].map(() => paymentsApi.sendEvent({ type: 'invoice_paid', subscriptionId })))
    expect(await countRefills(account.id)).toBe(1)
  })

  test('keep counting the same trial when webhooks are repeated, even after that trial has ended', async () => {
    const account = await world.makeAccount()
    const first = await buyAnonymously()
    const second = await buyAnonymously()
    await claim(account, first)
    await claim(account, second)
    for (const { checkout, subscription } of [second, first, second]) {
      await paymentsApi.reportCheckout(checkout)
      await paymentsApi.sendEvent({ type: 'subscription_changed', subscriptionId: subscription.subscriptionId })
    }
    expect(await isPro(account)).toBe(true)
    expect(await countRefills(account.id)).toBe(1)
    Object.assign(first.subscription, { status: 'canceled' })
    await paymentsApi.sendEvent({ type: 'subscription_changed', subscriptionId: first.subscription.subscriptionId })
    expect(await isPro(account)).toBe(false)
  })
})

describe('a trial', () => {
  test('refills the credits once, even if it is longer than a month', async () => {
    const account = await world.makeAccount()
    await claim(account, await buyAnonymously({ subscription: { periodEnd: new Date(Date.now() + 40 * dayMs) } }))
    expect(await countRefills(account.id)).toBe(1)
    await world.db`
      update credit_balances set refilled_at = refilled_at - interval '32 days' where account_id = ${account.id}`
    expect(await countRefills(account.id)).toBe(0)
  })

  test.each([
    ['card', () => ({ fingerprint: randomUUID() })],
    ['email', () => ({ email: `${randomUUID()}@example.com` })],
  ])(
    'counts once per %s across all accounts that claim it, and their other trials remain available',
    async (_, createPurchase) => {
      const purchase = createPurchase()
      const [firstAccount, secondAccount] = [await world.makeAccount(), await world.makeAccount()]
      const [first, second] = [await buyAnonymously(purchase), await buyAnonymously(purchase)]
      expect([await claim(firstAccount, first), await claim(secondAccount, second)]).toEqual([200, 200])
      expect([await isPro(firstAccount), await isPro(secondAccount)]).toEqual([true, false])
      await claim(secondAccount, await buyAnonymously())
      expect(await isPro(secondAccount)).toBe(true)
    },
  )

  test('counts once across the organizations for which one account buys it', async () => {
    const buyer = await world.makeAccount()
    const organizations = [
      await world.makeOrganization({ members: [buyer.id] }),
      await world.makeOrganization({ members: [buyer.id] }),
    ]
    const purchases = await Promise.all(
      organizations.map(async ({ id: accountId }) => {
        const { body } = await world.request<{ id: string }>('POST', '/api/subscriptions/sessions', {
          key: buyer.key,
          body: { accountId },
        })
        return { days: provider.requests.get(body.id)?.trialDays, sessionId: body.id }
      }),
    )
    expect(new Set(purchases.map(({ days }) => days))).toEqual(new Set([0, 30]))
    // The provider reports both as trials.
    for (const { sessionId } of purchases) await paymentsApi.reportCheckout(pay(sessionId, {}).checkout)
    const counted = await Promise.all(organizations.map(({ id }) => countRefills(id)))
    expect(new Set(counted)).toEqual(new Set([0, 1]))
    await claim(buyer, await buyAnonymously())
    expect(await countRefills(buyer.id)).toBe(0)
    const { body } = await world.request<{ id: string }>('POST', '/api/subscriptions/sessions', { key: buyer.key })
    expect([body['error' as 'id'], body.id]).toEqual(['already_subscribed', undefined])
  })

  test('is not offered again to an account that has claimed a trial', async () => {
    const account = await world.makeAccount()
    const first = await buyAnonymously()
    await claim(account, first)
    await world.db`
      update subscriptions set account_id = null where subscription_id = ${first.subscription.subscriptionId}`
    const { body } = await world.request<{ id: string }>('POST', '/api/subscriptions/sessions', { key: account.key })
    expect(provider.requests.get(body.id)).toMatchObject({ trialDays: 0 })
  })
})
