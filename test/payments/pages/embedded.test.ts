import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProviderStore } from '../../../db/payments/embedded/index.ts'
import { createEmbeddedPayments, type EmbeddedPayments } from '../../../providers/payment/embedded/index.ts'
import { pageUrl } from '../../../providers/payment/embedded/port.ts'
import type { PaymentEvent } from '../../../providers/payment/index.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createBrowser, cardForm } from './browser.ts'
import { effect, read } from '../effects.ts'

const secret = 'a webhook secret of the tests that is long enough'
const dayMs = 24 * 60 * 60 * 1000
let world: World
let provider: EmbeddedPayments
// Time by which this provider is ahead, so that the world's provider does not process its events and periods.
let aheadMs: number
let webhook: Server
let target: string
let status: number
let received: PaymentEvent[]

const now = (): Date => new Date(Date.now() + aheadMs)

const recordEvent = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const headers = request.headers as Record<string, string>
  received.push(await provider.payments.verifyEvent(headers, await buffer(request)))
  response.writeHead(status).end()
}

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { PAYMENT_WEBHOOK_SECRET: secret } })
  provider = createEmbeddedPayments({
    store: createProviderStore(world.db),
    secret,
    baseUrl: world.baseUrl,
    prices: [
      { id: 'price_starter', name: 'Starter', amountCents: 1900 },
      { id: 'price_pro', name: 'Pro', amountCents: 9900 },
    ],
    trustedOrigins: [],
    now,
  })
  webhook = createServer((request, response) => void recordEvent(request, response)).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  target = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  webhook.closeAllConnections()
  await new Promise((resolve) => webhook.close(resolve))
  await world.close()
})
beforeEach(async () => {
  aheadMs = dayMs
  status = 200
  received = []
  await world.db`update embedded_payment_events set next_attempt_at = null`
})

const submit = async (url: string, form: Record<string, string>) => {
  const [, , id = '', key = ''] = new URL(url).pathname.split('/')
  const page = await provider.pages.show(id, key)
  const token = /name="token" value="([^"]+)"/.exec('body' in page ? page.body : '')?.[1] ?? ''
  return provider.pages.submit(id, key, new URLSearchParams({ token, ...form }))
}

const subscribe = async (number: string, trialDays = 0) => {
  const customer = await provider.payments.ensureCustomer({ accountId: randomUUID(), email: 'a@example.com' }, effect())
  const checkoutRequest = {
    mode: 'subscription',
    priceId: 'price_starter',
    successUrl: 'https://shop.example/',
  } as const
  const opened = await provider.payments.createCheckout(
    { ...checkoutRequest, ...customer, trialDays, metadata: {} },
    effect(),
  )
  await submit(opened.url, cardForm(number))
  const { subscriptionId } = await provider.payments.getCheckout(opened.sessionId, read())
  return { ...customer, id: subscriptionId ?? '', sessionId: opened.sessionId }
}
const subscription = (id: string) => provider.payments.getSubscription(id, read())
const advanceTo = (date: Date): void => {
  aheadMs = date.getTime() - Date.now() + 1000
}
const listEvents = async (id: string): Promise<string[]> => {
  const rows = await world.db<{ type: string }[]>`
    select type from embedded_payment_events where object_id = ${id} order by created_at, id`
  return rows.map(({ type }) => type).toSorted()
}
const countPayments = async (customerId: string): Promise<number> =>
  (await world.db`select 1 from embedded_payments where customer_id = ${customerId} and status = 'succeeded'`).length

describe('a subscription', () => {
  test('is charged once a month, even if renewals run concurrently', async () => {
    const { id, customerId } = await subscribe('4242424242424242')
    const first = await subscription(id)
    advanceTo(first.periodEnd)
    await Promise.all([provider.renew(), provider.renew(), provider.renew()])
    const second = await subscription(id)
    expect([second.status, second.periodStart]).toEqual(['active', first.periodEnd])
    expect(second.periodEnd.getTime()).toBeGreaterThan(first.periodEnd.getTime() + 27 * dayMs)
    expect(await countPayments(customerId)).toBe(2)
    expect(await listEvents(id)).toEqual([
      'invoice_paid',
      'invoice_paid',
      'subscription_changed',
      'subscription_changed',
    ])
  })

  test('that was not renewed for three months is charged for each month', async () => {
    const { id, customerId } = await subscribe('4242424242424242')
    aheadMs += 95 * dayMs
    await provider.renew()
    expect(await countPayments(customerId)).toBe(4)
    expect((await subscription(id)).periodEnd.getTime()).toBeGreaterThan(now().getTime())
  })

  test('is charged for the first time when its trial ends', async () => {
    const { id, customerId } = await subscribe('4242424242424242', 30)
    expect([(await subscription(id)).status, await countPayments(customerId)]).toEqual(['trialing', 0])
    advanceTo((await subscription(id)).periodEnd)
    await provider.renew()
    expect([(await subscription(id)).status, await countPayments(customerId)]).toEqual(['active', 1])
  })

  test('is past due while its card declines, and is canceled after four attempts', async () => {
    const { id, customerId } = await subscribe('4000000000000341')
    const { periodEnd } = await subscription(id)
    for (const expected of ['past_due', 'past_due', 'past_due', 'canceled']) {
      advanceTo(periodEnd)
      await provider.renew()
      expect((await subscription(id)).status).toBe(expected)
      periodEnd.setTime(periodEnd.getTime() + dayMs + 60_000)
    }
    expect(await countPayments(customerId)).toBe(1)
  })

  test('stays active after a cancellation until its period ends', async () => {
    const { id, customerId } = await subscribe('4242424242424242')
    const { url } = await provider.payments.createPortal({ customerId, returnUrl: 'https://shop.example/' }, effect())
    await submit(url, { action: 'cancel', subscription: id })
    const { periodEnd } = await subscription(id)
    await provider.renew()
    expect((await subscription(id)).status).toBe('active')
    advanceTo(periodEnd)
    await provider.renew()
    expect((await subscription(id)).status).toBe('canceled')
    expect(await countPayments(customerId)).toBe(1)
  })
})

describe('an event', () => {
  test('is signed and sent to the webhook until the webhook accepts it once', async () => {
    const { sessionId, id } = await subscribe('4242424242424242')
    await provider.deliver(target)
    await provider.deliver(target)
    expect(received.map(({ type }) => type).toSorted()).toEqual([
      'checkout_completed',
      'invoice_paid',
      'subscription_changed',
    ])
    expect(received.find(({ type }) => type === 'checkout_completed')).toMatchObject({
      liveMode: false,
      subscriptionId: id,
      checkout: { sessionId, mode: 'subscription', paid: true },
    })
  })

  test('is sent again at increasing intervals until the webhook accepts it', async () => {
    await subscribe('4242424242424242')
    status = 500
    await provider.deliver(target)
    await provider.deliver(target)
    expect(received).toHaveLength(3)
    aheadMs += 1100
    await provider.deliver(target)
    expect(received).toHaveLength(6)
    aheadMs += 1100
    await provider.deliver(target)
    expect(received).toHaveLength(6)
    status = 200
    aheadMs += 1100
    await provider.deliver(target)
    aheadMs += dayMs
    await provider.deliver(target)
    expect(received).toHaveLength(9)
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(3)
  })

  test('is sent by another process if the process that claimed it dies', async () => {
    await subscribe('4242424242424242')
    const store = createProviderStore(world.db)
    const claimed = await store.claimEvents(now(), new Date(now().getTime() + 60_000), 10)
    expect(claimed).toHaveLength(3)
    await provider.deliver(target)
    expect(received).toEqual([])
    aheadMs += 61_000
    await provider.deliver(target)
    expect(received.map(({ eventId }) => eventId).toSorted()).toEqual(claimed.map(({ id }) => id).toSorted())
  })

  test('waits while the webhook is unreachable', async () => {
    await subscribe('4242424242424242')
    await provider.deliver('http://127.0.0.1:9/hook')
    aheadMs += 1100
    await provider.deliver(target)
    expect(received).toHaveLength(3)
  })

  test('is sent again on request from the operator page', async () => {
    const { sessionId } = await subscribe('4242424242424242')
    await provider.deliver(target)
    const url = pageUrl({ baseUrl: world.baseUrl, secret }, 'operator')
    const page = await createBrowser(world).open(url)
    expect(page.text).toContain(`checkout_completed<br /><code>${sessionId}</code>`)
    const [event] = received
    received = []
    expect(await submit(url, { action: 'repeat', event: event?.eventId ?? '' })).toMatchObject({ status: 303 })
    await provider.deliver(target)
    expect(received).toEqual([event])
    expect(await submit(url, { action: 'repeat', event: event?.eventId ?? '', token: 'x' })).toMatchObject({
      status: 409,
    })
    await provider.deliver(target)
    expect(received).toHaveLength(1)
  })

  test('is sent as soon as a provider starts', async () => {
    const runningProvider = provider.start({ target, log: world.deps.log })
    try {
      await subscribe('4242424242424242')
      await eventually('three events', async () => (received.length === 3 ? true : undefined))
    } finally {
      await runningProvider.close()
    }
    await subscribe('4242424242424242')
    expect(received).toHaveLength(3)
  })
})
