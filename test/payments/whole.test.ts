import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createBrowser, cardForm, type Browser } from './pages/browser.ts'

type Hosted = { id: string; url: string; declineReason?: { code: string }; paymentIntentId?: string }

let world: World
let browser: Browser

beforeAll(async () => {
  world = await createWorld()
  browser = createBrowser(world)
})
afterAll(() => world.close())

const post = (path: string, account: { key?: string }, body: object = {}) =>
  world.request<Hosted>('POST', path, { key: account.key, body })

const pay = async (
  url: string,
  number = '4242424242424242',
  overrides: Record<string, string> = {},
): Promise<string> => {
  const sent = await browser.send(url, cardForm(number, overrides))
  expect(sent.status).toBe(303)
  return (await browser.open(url)).text
}

const untilBalance = (account: TestAccount, credits: number) =>
  eventually('the balance', async () => {
    const path = `/api/accounts/${account.id}/credits`
    const { body } = await world.request<{ remaining_credits: number }>('GET', path, account)
    return body.remaining_credits === credits || undefined
  })

/** Waits for the card, because the payment and the page send separate events. */
const untilCard = (account: TestAccount, expectedCard: string) =>
  eventually('the card on file', async () => {
    const [row] = await world.db<{ last4: string }[]>`
      select default_card ->> 'last4' as last4 from payment_customers where account_id = ${account.id}`
    return row?.last4 === expectedCard || undefined
  })

type SubscriptionView = { isPro: boolean; status: string; plan: string | null; cancelAtPeriodEnd: boolean | null }
const untilSubscription = (account: { id: string; key: string }, expected: Partial<SubscriptionView>) =>
  eventually('the subscription', async () => {
    const { body } = await world.request<SubscriptionView>('GET', `/api/accounts/${account.id}/subscription`, account)
    return (
      Object.entries(expected).every(([name, value]) => body[name as keyof SubscriptionView] === value) || undefined
    )
  })

const makeBuyer = () => world.makeAccount({ credits: world.config.START_CREDITS })

describe('buying credits', () => {
  test('starts on a checkout page, then charges the saved card, and returns to a page if the card is declined', async () => {
    const account = await makeBuyer()
    const start = world.config.START_CREDITS
    const first = await post('/api/credits/sessions', account, { credits: 5_000_000 })
    expect(first.body.paymentIntentId).toBeUndefined()
    // This card is accepted on the page and declines later.
    await pay(first.body.url, '4000000000000341')
    await untilBalance(account, start + 5_000_000)
    await untilCard(account, '0341')
    const card = await world.request('GET', `/api/accounts/${account.id}/payment-method`, account)
    expect(card.body).toMatchObject({ card: { brand: 'visa', last4: '0341' } })

    const second = await post('/api/credits/sessions', account, { credits: 1_000_000 })
    expect(second.body.declineReason?.code).toBe('card_declined')
    await pay(second.body.url)
    await untilBalance(account, start + 6_000_000)
    await untilCard(account, '4242')

    const third = await post('/api/credits/sessions', account, { credits: 2_000_000 })
    expect(third.body).toEqual({
      paymentIntentId: expect.stringMatching(/./) as string,
      creditsPurchased: 2_000_000,
      totalCents: 237,
    })
    await untilBalance(account, start + 8_000_000)
    const { body } = await world.request<{ payments: { state: string }[] }>(
      'GET',
      `/api/accounts/${account.id}/payments`,
      account,
    )
    expect(body.payments.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid'])
  })

  test('with a card that always requires confirmation opens a checkout page each time', async () => {
    const account = await makeBuyer()
    const setup = await post(`/api/accounts/${account.id}/payment-method`, account)
    await browser.send(setup.body.url, cardForm('4000002760003184'))
    await browser.send(setup.body.url, { action: 'confirm' })
    await eventually('the card on file', async () => {
      const { body } = await post('/api/credits/sessions', account, { credits: 1_000_000 })
      return body.declineReason?.code === 'authentication_required' || undefined
    })
  })
})

describe('subscribing', () => {
  test('starts the plan, which the customer ends in the portal', async () => {
    const account = await makeBuyer()
    const { body } = await post('/api/subscriptions/sessions', account, { plan: 'starter' })
    await pay(body.url)
    await untilSubscription(account, { status: 'active', plan: 'starter', isPro: false })
    expect((await post('/api/subscriptions/sessions', account)).status).toBe(409)

    const portal = await post('/api/subscriptions/portal', account)
    const page = await browser.open(portal.body.url)
    const subscription = /name="subscription" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    await browser.send(portal.body.url, { action: 'change', subscription, price: 'price_pro' })
    await untilSubscription(account, { plan: 'pro', isPro: true })
    await browser.send(portal.body.url, { action: 'cancel', subscription })
    await untilSubscription(account, { status: 'active', cancelAtPeriodEnd: true })
  })

  test('without signing in creates an account, and the holder of the session id can claim the subscription', async () => {
    const { body } = await post(
      '/api/subscriptions/sessions',
      {},
      { successUrl: 'https://app.example.com/welcome?a=1' },
    )
    const resultPage = await pay(body.url, undefined, { email: 'buyer@new.example' })
    expect(resultPage).toContain(`session_id=${body.id}`)
    const placeholder = await eventually('the account', async () => {
      const [row] = await world.db<{ id: string }[]>`
        select account_id as id from account_emails where email = 'buyer@new.example'`
      return row?.id
    })
    const account = await makeBuyer()
    const claimed = await world.request('POST', '/api/subscriptions/claim', {
      key: account.key,
      body: { session_id: body.id },
    })
    expect(claimed).toMatchObject({ status: 200, body: { status: 'success', plan: 'pro' } })
    await untilSubscription(account, { status: 'trialing', isPro: true })
    await untilSubscription(
      { id: placeholder, key: await world.makeKey(placeholder) },
      { status: 'none', isPro: false },
    )
  })
})
