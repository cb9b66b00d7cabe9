import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProviderStore } from '../../../db/payments/embedded/index.ts'
import { createEmbeddedPayments } from '../../../providers/payment/embedded/index.ts'
import { signBody } from '../../../providers/payment/embedded/events/signature.ts'
import type { PaymentPort } from '../../../providers/payment/index.ts'
import { apiVersion } from '../../../providers/payment/stripe/api-version.ts'
import { createStripePayments } from '../../../providers/payment/stripe/index.ts'
import { createWorld } from '../../world/world.ts'
import { createBrowser, cardForm } from '../../payments/pages/browser.ts'
import { effect, read } from '../../payments/effects.ts'
import { describePayments } from './contract.ts'
import { startStripe, type FakeStripe } from '../vendors/stripe/stripe.ts'

const secret = 'a webhook secret of the tests that is long enough'

describePayments('the embedded provider', async () => {
  const world = await createWorld({ worker: false, settings: { PAYMENT_WEBHOOK_SECRET: secret } })
  const browser = createBrowser(world)
  return {
    payments: world.deps.payments,
    priceId: 'price_starter',
    pay: async (url, number) => {
      await browser.send(url, cardForm(number, { email: 'guest@example.com' }))
      await browser.send(url, { action: 'confirm' })
    },
    events: async () => {
      const rows = await world.db<
        { payload: string }[]
      >`select payload from embedded_payment_events order by created_at`
      return rows.map(({ payload }) => ({
        headers: { 'x-payment-signature': signBody(secret, payload, new Date()) },
        body: Buffer.from(payload),
      }))
    },
    close: () => world.close(),
  }
})

const openStripe = ({ url: apiUrl, secretKey, webhookSecret }: FakeStripe, key = secretKey): PaymentPort =>
  createStripePayments({ apiUrl, secretKey: key, webhookSecret })

describePayments('Stripe', async () => {
  const stripe = await startStripe()
  return {
    payments: openStripe(stripe),
    priceId: stripe.priceId,
    pay: async (url, number) => stripe.pay(url, number),
    events: async () => stripe.events(),
    close: () => stripe.close(),
  }
})

describe('the embedded provider', () => {
  it('rejects events that are dated more than five minutes in the past or the future', async () => {
    const store = createProviderStore({} as never)
    const now = new Date()
    const { payments } = createEmbeddedPayments({
      store,
      secret,
      baseUrl: 'http://localhost',
      prices: [],
      trustedOrigins: [],
      now: () => now,
    })
    const body = JSON.stringify({ id: 'evt_1', type: 'of_tomorrow', created: 1, livemode: false, data: {} })
    const verifySignedAfter = (seconds: number) =>
      payments.verifyEvent(
        { 'x-payment-signature': signBody(secret, body, new Date(now.getTime() + seconds * 1000)) },
        Buffer.from(body),
      )
    for (const seconds of [-299, 299])
      expect(await verifySignedAfter(seconds)).toEqual({ eventId: 'evt_1', type: 'unknown', liveMode: false })
    for (const seconds of [-302, 302])
      await expect(verifySignedAfter(seconds)).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('the Stripe adapter', () => {
  let stripe: FakeStripe
  let payments: PaymentPort
  let customerId: string
  let cardId: string
  beforeAll(async () => {
    stripe = await startStripe()
    payments = openStripe(stripe)
    customerId = (await payments.ensureCustomer({ accountId: randomUUID(), email: null }, effect())).customerId
    const setup = { mode: 'setup', customerId, successUrl: 'https://shop.example/', metadata: {} } as const
    const { sessionId, url } = await payments.createCheckout(setup, effect())
    stripe.pay(url, '4242424242424242')
    cardId = (await payments.getCheckout(sessionId, read())).cardId ?? ''
  })
  afterAll(() => stripe.close())

  const charge = (options = effect(), port = payments) =>
    port.chargeSavedCard({ customerId, cardId, amountCents: 500, currency: 'usd', metadata: {} }, options)

  it('sends a fixed API version and the idempotency key of the effect', async () => {
    const key = randomUUID()
    await charge(effect(key))
    const call = stripe.requests.at(-1)
    expect(call?.headers).toMatchObject({ 'stripe-version': '2026-10-28.endive', 'idempotency-key': key })
  })

  it('calls Stripe once, without automatic retries', async () => {
    const before = stripe.calls.length
    stripe.failNext('/v1/payment_intents', 500)
    await expect(charge()).rejects.toMatchObject({ kind: 'timeout' })
    expect(stripe.calls.length - before).toBe(1)
  })

  it('charges once if the response is lost and the charge is repeated with the same key', async () => {
    const key = randomUUID()
    const before = stripe.events().length
    stripe.loseResponses(1)
    await expect(charge(effect(key))).rejects.toMatchObject({ kind: 'timeout', isRetryable: true })
    expect((await charge(effect(key))).status).toBe('succeeded')
    expect(stripe.events().length - before).toBe(1)
  })

  it.each([
    [500, 'unavailable'],
    [429, 'rate_limited'],
    [403, 'unauthorized'],
    [409, 'timeout'],
    [400, 'invalid'],
  ])('maps the status %i to the error %s', async (status, kind) => {
    stripe.failNext(`/v1/customers/${customerId}`, status)
    await expect(payments.getDefaultCard(customerId, read())).rejects.toMatchObject({ name: 'ProviderError', kind })
  })

  it('does not reveal a wrong key in the error', async () => {
    const wrongKeyPort = openStripe(stripe, 'sk_test_wrong_key_of_somebody')
    const rejection: unknown = await charge(effect(), wrongKeyPort).catch((error: unknown) => error)
    expect(rejection).toMatchObject({ kind: 'unauthorized' })
    expect(String(rejection)).not.toMatch(/sk_test|wrong_key/)
  })

  it('reports Stripe as unavailable if it is unreachable, and times out if Stripe does not respond', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const apiUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const port = createStripePayments({ apiUrl, secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret })
    const timedOutOptions = { idempotencyKey: randomUUID(), signal: AbortSignal.timeout(200) }
    await expect(charge(timedOutOptions, port)).rejects.toMatchObject({ kind: 'timeout' })
    const closed = once(silent, 'close')
    silent.close()
    for (const socket of sockets) socket.destroy()
    await closed
    await expect(charge(effect(), port)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('rejects a response of more than ten megabytes', async () => {
    stripe.pad(11 * 1024 * 1024)
    await expect(payments.getCheckout('cs_long', read())).rejects.toMatchObject({ name: 'ProviderError' })
    await expect(payments.getCheckout('cs_short', read())).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('is in live mode if its key is a live key', () => {
    expect(openStripe(stripe, 'sk_live_x').liveMode).toBe(true)
    expect(openStripe(stripe, 'rk_live_x').liveMode).toBe(true)
  })

  it('adds the id of the checkout session to the URL to which Stripe redirects people', async () => {
    const checkoutRequest = { mode: 'subscription', priceId: stripe.priceId, metadata: {} } as const
    for (const [successUrl, expected] of [
      ['https://shop.example/done', 'https://shop.example/done?session_id={CHECKOUT_SESSION_ID}'],
      ['https://shop.example/done?x=1#end', 'https://shop.example/done?x=1&session_id={CHECKOUT_SESSION_ID}#end'],
    ] as const) {
      await payments.createCheckout({ ...checkoutRequest, successUrl }, effect())
      expect(new URLSearchParams(stripe.bodies.at(-1)).get('success_url')).toBe(expected)
    }
  })

  const parseEvent = async (type: string, object: object, api_version: string | null = null) => {
    const event = { id: 'evt_1', object: 'event', type, livemode: true, api_version, data: { object } }
    const { headers, body } = stripe.sign(event)
    return payments.verifyEvent(headers, body)
  }

  it('maps the known types of events and reports the other types as unknown', async () => {
    expect(await parseEvent('charge.refunded', { object: 'charge', payment_intent: 'pi_1' })).toEqual({
      eventId: 'evt_1',
      liveMode: true,
      type: 'refund_or_dispute',
      paymentId: 'pi_1',
    })
    expect(await parseEvent('charge.dispute.created', { object: 'dispute', payment_intent: 'pi_2' })).toMatchObject({
      type: 'refund_or_dispute',
      paymentId: 'pi_2',
    })
    expect(await parseEvent('customer.subscription.deleted', { id: 'sub_1', customer: 'cus_1' })).toMatchObject({
      type: 'subscription_changed',
      subscriptionId: 'sub_1',
      customerId: 'cus_1',
    })
    expect(await parseEvent('payout.paid', {})).toEqual({ eventId: 'evt_1', liveMode: true, type: 'unknown' })
  })

  it('reports the API version of an event that has another version, whether or not the event is readable', async () => {
    const intent = { id: 'pi_1', object: 'payment_intent', amount: 134, currency: 'usd', metadata: {} }
    const version = '2019-12-03'
    expect(await parseEvent('payment_intent.succeeded', intent, version)).toMatchObject({
      type: 'payment_succeeded',
      otherApiVersion: version,
    })
    expect(await parseEvent('payment_intent.succeeded', intent, apiVersion)).not.toHaveProperty('otherApiVersion')
    for (const [type, object] of [
      ['payment_intent.succeeded', { object: 'payment_intent' }],
      ['checkout.session.completed', { object: 'checkout.session', mode: 'rental' }],
      ['customer.subscription.updated', { object: 'subscription' }],
      ['charge.refunded', { object: 'charge', payment_intent: null }],
    ] as const)
      expect(await parseEvent(type, object, version)).toEqual({
        eventId: 'evt_1',
        liveMode: true,
        type: 'unreadable',
        otherApiVersion: version,
      })
  })

  it('rejects events with another secret and events dated more than five minutes in the past or the future', async () => {
    const event = { id: 'evt_1', object: 'event', type: 'payout.paid', livemode: false, data: { object: {} } }
    const now = Math.floor(Date.now() / 1000)
    const signed = [
      stripe.sign(event, 'whsec_other'),
      stripe.sign(event, stripe.webhookSecret, now - 310),
      stripe.sign(event, stripe.webhookSecret, now + 310),
    ]
    for (const { headers, body } of signed)
      await expect(payments.verifyEvent(headers, body)).rejects.toMatchObject({ kind: 'invalid' })
  })
})
