import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentPort } from '../../../providers/payment/index.ts'
import { createWorld, type World } from '../../world/world.ts'
import { createBrowser, cardForm, type Browser } from './browser.ts'
import { effect, read } from '../effects.ts'

let world: World
let payments: PaymentPort
let browser: Browser
let customerId: string
let subscriptionId: string
let url: string

const subscribe = async () => {
  const customer = await payments.ensureCustomer({ accountId: randomUUID(), email: 'buyer@example.com' }, effect())
  const checkoutRequest = {
    mode: 'subscription',
    priceId: 'price_starter',
    successUrl: 'https://shop.example/',
  } as const
  const session = await payments.createCheckout(
    { ...checkoutRequest, ...customer, metadata: { plan: 'starter' } },
    effect(),
  )
  await browser.send(session.url, cardForm('4242424242424242'))
  const checkout = await payments.getCheckout(session.sessionId, read())
  const portal = await payments.createPortal({ ...customer, returnUrl: 'https://shop.example/billing' }, effect())
  return { ...customer, subscriptionId: checkout.subscriptionId ?? '', url: portal.url }
}

beforeAll(async () => {
  world = await createWorld({ worker: false })
  payments = world.deps.payments
  browser = createBrowser(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  const subscribed = await subscribe()
  customerId = subscribed.customerId
  subscriptionId = subscribed.subscriptionId
  url = subscribed.url
})

const subscription = () => payments.getSubscription(subscriptionId, read())
const submitAction = (action: string, overrides: Record<string, string> = {}) =>
  browser.send(url, { action, subscription: subscriptionId, ...overrides })
const countChanges = async (): Promise<number> => {
  const rows = await world.db`
    select 1 from embedded_payment_events where type = 'subscription_changed' and object_id = ${subscriptionId}`
  return rows.length
}
const listCardIds = async (): Promise<string[]> =>
  [...(await browser.open(url)).text.matchAll(/name="card" value="([^"]+)"/g)].map(([, id]) => id ?? '')

describe('the portal', () => {
  test('shows the subscription, its card and the return link', async () => {
    const { status, text } = await browser.open(url)
    expect(status).toBe(200)
    expect(text).toContain('<strong>Starter</strong>, 19.00 USD each month: active.')
    expect(text).toContain('visa ending in 4242, expires 12/40 (used by default)')
    expect(text).toContain('<a href="https://shop.example/billing" rel="noreferrer">Back to shop.example</a>')
  })

  test('cancels at the end of the period and can be resumed before that', async () => {
    expect((await submitAction('cancel')).location).toBe(url)
    const { cancelAt, periodEnd, status } = await subscription()
    expect([status, cancelAt]).toEqual(['active', periodEnd])
    expect((await browser.open(url)).text).toContain(`Ends on ${periodEnd.toISOString().slice(0, 10)}.`)
    await submitAction('resume')
    expect((await subscription()).cancelAt).toBeNull()
    expect(await countChanges()).toBe(3)
  })

  test('changes only to an existing plan', async () => {
    await submitAction('change', { price: 'price_pro' })
    expect(await subscription()).toMatchObject({ priceId: 'price_pro', amountCents: 9900, status: 'active' })
    await submitAction('change', { price: 'price_unknown' })
    expect(await subscription()).toMatchObject({ priceId: 'price_pro' })
    expect(await countChanges()).toBe(2)
  })

  test('saves another card, makes it the default on request, and removes cards', async () => {
    const setup = (await browser.send(url, { action: 'add' })).location ?? ''
    expect((await browser.open(setup)).text).toContain('Nothing is charged now.')
    await browser.send(setup, cardForm('5555555555554444'))
    expect((await browser.open(setup)).location).toBe(url)
    const ids = await listCardIds()
    const added = ids[0] ?? ''
    expect((await payments.getDefaultCard(customerId, read()))?.last4).toBe('4242')
    await submitAction('default', { card: added })
    expect(await payments.getDefaultCard(customerId, read())).toMatchObject({ id: added, brand: 'mastercard' })
    await submitAction('remove', { card: added })
    expect((await payments.getDefaultCard(customerId, read()))?.last4).toBe('4242')
    const [remainingCard] = await listCardIds()
    await submitAction('remove', { card: remainingCard ?? '' })
    expect(await payments.getDefaultCard(customerId, read())).toBeNull()
  })

  test('changes nothing for another customer', async () => {
    const other = await subscribe()
    await submitAction('cancel', { subscription: other.subscriptionId })
    expect((await payments.getSubscription(other.subscriptionId, read())).cancelAt).toBeNull()
    const { id } = (await payments.getDefaultCard(other.customerId, read())) ?? {}
    await submitAction('remove', { card: id ?? '' })
    expect((await payments.getDefaultCard(other.customerId, read()))?.id).toBe(id)
  })

  test('accepts each form only once', async () => {
    const token = browser.readToken(await browser.open(url))
    const form = { token, action: 'cancel', subscription: subscriptionId }
    expect((await browser.post(url, form)).status).toBe(303)
    expect((await browser.post(url, { ...form, action: 'resume' })).status).toBe(409)
    expect((await subscription()).cancelAt).not.toBeNull()
  })

  test('is valid for 24 hours', async () => {
    await world.db`update embedded_sessions set expires_at = now() where kind = 'portal' and customer_id = ${customerId}`
    expect((await browser.open(url)).status).toBe(410)
    expect((await submitAction('cancel')).status).toBe(410)
    expect((await subscription()).cancelAt).toBeNull()
  })
})
