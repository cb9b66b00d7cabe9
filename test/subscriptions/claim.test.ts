import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '../../providers/payment/index.ts'
import { createFakeProvider } from '../payments/fake-provider.ts'
import { createPaymentsApi, type PaymentsApi } from '../payments/payments-api.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'

const provider = createFakeProvider()
let world: World
let paymentsApi: PaymentsApi

beforeAll(async () => {
  world = await createWorld({ payments: provider.port, settings: { RATE_LIMIT_CHECKOUTS_PER_MINUTE: '0' } })
  paymentsApi = createPaymentsApi(world, provider)
})
afterAll(() => world.close())

const subscribe = (sent: { key?: string; body?: object } = {}) =>
  world.request<{ id: string; url: string; error: string }>('POST', '/api/subscriptions/sessions', sent)

/** Completes an anonymous purchase whose webhook has not arrived yet. */
const purchase = async (
  email: string | null = `${randomUUID()}@example.com`,
  overrides: Partial<Subscription> = {},
) => {
  const { body } = await subscribe()
  const subscription = paymentsApi.addSubscription(overrides)
  const { subscriptionId, customerId } = subscription
  const checkout = paymentsApi.completeCheckout(body.id, { subscriptionId, customerId, email })
  return { checkout, subscription, email: email ?? '', sessionId: body.id }
}

const claim = (account: { key: string }, session_id: unknown) =>
  world.request('POST', '/api/subscriptions/claim', { key: account.key, body: { session_id } })

const findRow = async ({ subscriptionId }: Subscription) => {
  const [row] = await world.db<{ accountId: string | null; createdBy: string | null; status: string }[]>`
    select account_id as "accountId", created_by as "createdBy", status
    from subscriptions where subscription_id = ${subscriptionId}`
  return row
}

const findPerson = async (email: string): Promise<string | undefined> => {
  const [row] = await world.db<{ id: string }[]>`select account_id as id from account_emails where email = ${email}`
  return row?.id
}

const untilMirrored = ({ subscriptionId }: Subscription, accountId: string) =>
  eventually(
    'the owner at the provider',
    async () =>
      provider.owners.some((owner) => owner.subscriptionId === subscriptionId && owner.accountId === accountId) ||
      undefined,
  )

const buildClaimResponse = ({ subscriptionId }: Subscription, plan = 'pro') => ({
  status: 200,
  body: { status: 'success', subscription_id: subscriptionId, plan },
})

describe('an anonymous purchase', () => {
  test('is linked to the account of the email address that paid', async () => {
    const buyer = await world.makeAccount()
    const { checkout, subscription } = await purchase(` ${buyer.email.toUpperCase()} `)
    await paymentsApi.reportCheckout(checkout)
    expect(await findRow(subscription)).toMatchObject({ accountId: buyer.id, createdBy: null })
    await untilMirrored(subscription, buyer.id)
    expect(await claim(buyer, checkout.sessionId)).toMatchObject(buildClaimResponse(subscription))
  })

  test('creates an account for an unknown email address, with start credits and one welcome email', async () => {
    const { checkout, subscription, email } = await purchase()
    await Promise.all([paymentsApi.reportCheckout(checkout), paymentsApi.reportCheckout(checkout)])
    const accountId = (await findPerson(email)) ?? ''
    expect(await findRow(subscription)).toMatchObject({ accountId, createdBy: 'webhook' })
    expect(await paymentsApi.readBalance(accountId)).toBe(world.config.START_CREDITS)
    const mails = await world.db`select 1 from email_send_log where reference = ${`welcome:${accountId}`}`
    expect(mails).toHaveLength(1)
    await untilMirrored(subscription, accountId)
  })

  test.each([null, 'no address'])(
    'with the email address %j is stored without an owner and can be claimed later',
    async (email) => {
      const { checkout, subscription } = await purchase(email)
      expect((await paymentsApi.reportCheckout(checkout)).status).toBe(200)
      const account = await world.makeAccount()
      expect(await claim(account, checkout.sessionId)).toMatchObject(buildClaimResponse(subscription))
      await untilMirrored(subscription, account.id)
    },
  )
})

describe('POST /api/subscriptions/claim', () => {
  test('assigns a purchase without an owner to the caller, even before its webhook has arrived', async () => {
    const { checkout, subscription, email } = await purchase(undefined, { priceId: 'price_starter', amountCents: 1900 })
    const account = await world.makeAccount()
    expect(await claim(account, checkout.sessionId)).toMatchObject(buildClaimResponse(subscription, 'starter'))
    await paymentsApi.reportCheckout(checkout)
    expect(await findRow(subscription)).toMatchObject({ accountId: account.id })
    expect(await findPerson(email)).toBeUndefined()
    await untilMirrored(subscription, account.id)
  })

  test('moves the purchase and card from the account that was created for it, if this account has never signed in', async () => {
    const { checkout, subscription, email } = await purchase()
    const card = provider.addCard(subscription.customerId)
    await paymentsApi.reportCheckout({ ...checkout, cardId: card.id })
    const placeholder = (await findPerson(email)) ?? ''
    const account = await world.makeAccount()
    expect(await claim(account, checkout.sessionId)).toMatchObject(buildClaimResponse(subscription))
    expect(await findRow(subscription)).toMatchObject({ accountId: account.id, createdBy: null })
    expect(await paymentsApi.readBalance(placeholder)).toBe(world.config.START_CREDITS)
    const customers = await world.db<{ accountId: string; card: string }[]>`
      select account_id as "accountId", default_card ->> 'id' as card
      from payment_customers where customer_id = ${subscription.customerId}`
    expect([...customers]).toEqual([{ accountId: account.id, card: card.id }])
    await untilMirrored(subscription, account.id)
  })

  test('does not move a purchase from an account that has signed in', async () => {
    const { checkout, subscription, email } = await purchase()
    await paymentsApi.reportCheckout(checkout)
    const owner = (await findPerson(email)) ?? ''
    await world.request('GET', '/api/accounts/id', { key: await world.makeKey(owner) })
    const response = await claim(await world.makeAccount(), checkout.sessionId)
    expect([response.status, response.body]).toEqual([409, { status: 'error', error: 'already_claimed' }])
    expect(await findRow(subscription)).toMatchObject({ accountId: owner })
    await untilMirrored(subscription, owner)
  })

  test('lets only the buyer claim a purchase made with credentials, even if another caller tries first', async () => {
    const buyer = await world.makeAccount()
    const { body } = await subscribe({ key: buyer.key })
    const subscription = paymentsApi.addSubscription({ customerId: `cus_${buyer.id}` })
    const { subscriptionId, customerId } = subscription
    paymentsApi.completeCheckout(body.id, { subscriptionId, customerId, email: buyer.email })
    expect((await claim(await world.makeAccount(), body.id)).status).toBe(409)
    expect(await claim(buyer, body.id)).toMatchObject(buildClaimResponse(subscription))
  })

  test('returns 200 and 409 to two concurrent callers, but 200 twice to the same caller', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { checkout, subscription } = await purchase()
      const callers = [await world.makeAccount(), await world.makeAccount()]
      const responses = await Promise.all(callers.map((caller) => claim(caller, checkout.sessionId)))
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]))
      const winner = callers[responses.findIndex(({ status }) => status === 200)]
      expect(await findRow(subscription)).toMatchObject({ accountId: winner?.id })
      const repeated = await Promise.all([
        claim(winner ?? { key: '' }, checkout.sessionId),
        claim(winner ?? { key: '' }, checkout.sessionId),
      ])
      expect(repeated.map(({ status }) => status)).toEqual([200, 200])
    }
  })

  test.each([
    [undefined, 400, 'session_id is required'],
    ['', 400, 'session_id must have 1 to 255 characters'],
    [7, 400, 'session_id must be a string'],
    ['cs_unknown', 404, 'session_not_found'],
  ])('rejects the session %j', async (sessionId, status, error) => {
    const response = await claim(await world.makeAccount(), sessionId)
    expect([response.status, response.body]).toEqual([status, { status: 'error', error }])
  })

  test('rejects a session without a subscription, a caller without credentials and a run key', async () => {
    const account = await world.makeAccount()
    const { body } = await subscribe()
    expect(await claim(account, body.id)).toMatchObject({ status: 400, body: { error: 'no_subscription' } })
    expect((await world.request('POST', '/api/subscriptions/claim', { body: { session_id: body.id } })).status).toBe(
      401,
    )
    const key = await world.makeKey(account.id, { expiresAt: new Date(Date.now() + 60_000) })
    expect((await claim({ key }, body.id)).status).toBe(403)
  })
})

test('the owner of a subscription is sent to the provider again until the provider accepts it', async () => {
  const { checkout, subscription } = await purchase()
  const account: TestAccount = await world.makeAccount()
  provider.refuse('setOwner', 'unavailable', 'timeout')
  await claim(account, checkout.sessionId)
  await untilMirrored(subscription, account.id)
})
