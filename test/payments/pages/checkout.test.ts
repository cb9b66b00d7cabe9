import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CreateCheckout, PaymentPort } from '../../../providers/payment/index.ts'
import { createWorld, type World } from '../../world/world.ts'
import { createBrowser, cardForm, type Browser } from './browser.ts'
import { creditsCheckout, effect, read } from '../effects.ts'

let world: World
let payments: PaymentPort
let browser: Browser
let customerId: string

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { REDIRECT_ORIGINS: 'https://shop.example' } })
  payments = world.deps.payments
  browser = createBrowser(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  const customer = await payments.ensureCustomer({ accountId: randomUUID(), email: 'buyer@example.com' }, effect())
  customerId = customer.customerId
})

const topUp = (overrides: Partial<CreateCheckout> = {}) =>
  payments.createCheckout(creditsCheckout(customerId, overrides), effect())

const toTestUrl = (url: string): string => world.baseUrl + new URL(url).pathname

const listEvents = async (objectId: string): Promise<string[]> => {
  const rows = await world.db<{ type: string }[]>`
    select type from embedded_payment_events where object_id = ${objectId} order by created_at, id`
  return rows.map(({ type }) => type)
}

describe('a checkout of a payment', () => {
  test('is paid with a test card, saves the card and redirects to the shop', async () => {
    const { sessionId, url } = await topUp()
    const page = await browser.open(url)
    expect(page.status).toBe(200)
    expect(page.text).toContain('5.46 USD')
    const sent = await browser.send(url, cardForm('4242 4242 4242 4242'))
    expect([sent.status, new URL(sent.location ?? '').pathname]).toEqual([303, new URL(url).pathname])
    expect(await browser.open(url)).toMatchObject({ status: 303, location: 'https://shop.example/billing' })
    const checkout = await payments.getCheckout(sessionId, read())
    expect(checkout).toMatchObject({ paid: true, amountCents: 546, currency: 'usd', customerId })
    expect(await payments.getDefaultCard(customerId, read())).toMatchObject({
      id: checkout.cardId,
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear: 2040,
    })
    const paymentId = checkout.paymentId ?? ''
    expect(await payments.getPayment({ paymentId }, read())).toMatchObject({ status: 'succeeded', amountCents: 546 })
    expect([await listEvents(paymentId), await listEvents(sessionId)]).toEqual([
      ['payment_succeeded'],
      ['checkout_completed'],
    ])
  })

  test('states why a card was declined, keeps the page open and accepts another card for the same payment', async () => {
    const { sessionId, url } = await topUp()
    for (const [number, message] of [
      ['4000000000000002', 'Your card was declined.'],
      ['4000000000009995', 'Your card has insufficient funds.'],
      ['4000000000000069', 'Your card has expired.'],
    ] as const) {
      const refused = await browser.send(url, cardForm(number))
      expect(refused.status).toBe(402)
      expect(refused.text).toContain(`role="alert">${message}`)
    }
    const failed = await payments.getCheckout(sessionId, read())
    expect(failed.paid).toBe(false)
    expect((await payments.getPayment({ paymentId: failed.paymentId ?? '' }, read())).status).toBe('failed')
    await browser.send(url, cardForm('5555555555554444'))
    const { paymentId, paid } = await payments.getCheckout(sessionId, read())
    expect([paid, paymentId]).toEqual([true, failed.paymentId])
    expect(await listEvents(paymentId ?? '')).toEqual([...Array(3).fill('payment_failed'), 'payment_succeeded'])
  })

  test('offers the saved cards and no card of another account', async () => {
    const first = await topUp()
    await browser.send(first.url, cardForm('4242424242424242'))
    const { cardId } = await payments.getCheckout(first.sessionId, read())
    const second = await topUp()
    expect((await browser.open(second.url)).text).toContain('visa ending in 4242, expires 12/40')
    const foreign = await payments.ensureCustomer({ accountId: randomUUID(), email: null }, effect())
    const other = await topUp({ customerId: foreign.customerId })
    const foreignCardForm = { action: 'pay', card: cardId ?? '', email: 'x@example.com' }
    expect((await browser.send(other.url, foreignCardForm)).status).toBe(400)
    expect((await browser.send(second.url, { action: 'pay', card: cardId ?? '' })).status).toBe(303)
    expect(await payments.getCheckout(second.sessionId, read())).toMatchObject({ paid: true, cardId })
  })

  test('charges the card once when its form is submitted 20 times concurrently', async () => {
    const { sessionId, url } = await topUp()
    const token = browser.readToken(await browser.open(url))
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => browser.post(url, { ...cardForm('4242424242424242'), token })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 303))
    const { paymentId } = await payments.getCheckout(sessionId, read())
    expect(await listEvents(paymentId ?? '')).toEqual(['payment_succeeded'])
    expect(await listEvents(sessionId)).toEqual(['checkout_completed'])
    const cards = await world.db`select 1 from embedded_cards where customer_id = ${customerId}`
    expect(cards).toHaveLength(1)
  })

  test.each([
    [cardForm('4111111111111111'), 'This is not a test card.'],
    [cardForm(''), 'This is not a test card.'],
    [cardForm('4242424242424242', { expiry: '13/40' }), 'The expiry must have the form 12/34.'],
    [cardForm('4242424242424242', { expiry: '01/20' }), 'The card has expired.'],
    [cardForm('4242424242424242', { cvc: 'abc' }), 'The security code must have 3 or 4 digits.'],
    [cardForm('4242424242424242', { card: 'card_unknown' }), 'This card was removed'],
  ])('rejects the form %j', async (form, message) => {
    const { sessionId, url } = await topUp()
    const refused = await browser.send(url, form)
    expect([refused.status, refused.text.includes(message)]).toEqual([400, true])
    expect((await payments.getCheckout(sessionId, read())).paid).toBe(false)
  })

  test('does not store the card number', async () => {
    const { url } = await topUp()
    await browser.send(url, cardForm('4242424242424242', { cvc: '987' }))
    for (const table of ['embedded_cards', 'embedded_sessions', 'embedded_payments', 'embedded_payment_events']) {
      const rows = await world.db`select * from ${world.db(table)}`
      expect(rows.length, table).toBeGreaterThan(0)
      expect(JSON.stringify(rows), table).not.toMatch(/42424242|"987"/)
    }
  })
})

const submitConfirmableCard = async () => {
  const session = await topUp()
  const confirmationPage = await browser.send(session.url, cardForm('4000002500003155'))
  expect(confirmationPage.status).toBe(303)
  expect((await payments.getCheckout(session.sessionId, read())).paid).toBe(false)
  expect((await browser.open(session.url)).text).toContain('Confirm a payment of 5.46 USD with visa ending in 3155')
  return session
}

describe('a card that requires confirmation', () => {
  test('pays once it is confirmed, and later charges need no confirmation', async () => {
    const { sessionId, url } = await submitConfirmableCard()
    expect((await browser.send(url, { action: 'confirm' })).status).toBe(303)
    const { paid, cardId } = await payments.getCheckout(sessionId, read())
    expect(paid).toBe(true)
    const charge = { customerId, cardId: cardId ?? '', amountCents: 100, currency: 'usd', metadata: {} }
    expect((await payments.chargeSavedCard(charge, effect())).status).toBe('succeeded')
  })

  test('does not pay if the customer denies confirmation, and another card can still pay', async () => {
    const { sessionId, url } = await submitConfirmableCard()
    const refused = await browser.send(url, { action: 'refuse' })
    expect(refused.status).toBe(402)
    expect(refused.text).toContain('Your bank did not confirm the payment.')
    expect((await payments.getCheckout(sessionId, read())).paid).toBe(false)
    await browser.send(url, cardForm('4242424242424242'))
    expect((await payments.getCheckout(sessionId, read())).paid).toBe(true)
  })

  test('cannot be confirmed before confirmation is requested', async () => {
    const { sessionId, url } = await topUp()
    expect((await browser.send(url, { action: 'confirm' })).status).toBe(303)
    expect((await payments.getCheckout(sessionId, read())).paid).toBe(false)
  })
})

describe('a charge of a saved card', () => {
  test('is made once for 20 concurrent requests with the same idempotency key', async () => {
    const { sessionId, url } = await topUp()
    await browser.send(url, cardForm('4242424242424242'))
    const { cardId } = await payments.getCheckout(sessionId, read())
    const charge = { customerId, cardId: cardId ?? '', amountCents: 100, currency: 'usd', metadata: {} }
    const key = randomUUID()
    const charges = await Promise.all(Array.from({ length: 20 }, () => payments.chargeSavedCard(charge, effect(key))))
    expect(new Set(charges.map(({ paymentId }) => paymentId)).size).toBe(1)
    expect(await listEvents(charges[0]?.paymentId ?? '')).toEqual(['payment_succeeded'])
  })
})

describe('the checkout page', () => {
  test('opens only with its complete URL', async () => {
    const { sessionId, url } = await topUp()
    const { key: otherKey } = /\/(?<key>[^/]+)$/.exec((await topUp()).url)?.groups ?? {}
    for (const invalidUrl of [`${url}x`, url.replace(/[^/]+$/, 'x'), url.replace(/[^/]+$/, otherKey ?? '')]) {
      expect([invalidUrl, (await browser.open(invalidUrl)).status]).toEqual([invalidUrl, 404])
      expect((await browser.post(invalidUrl, cardForm('4242424242424242'))).status).toBe(404)
    }
    expect((await payments.getCheckout(sessionId, read())).paid).toBe(false)
  })

  test('rejects a form from another page and a form that was already submitted', async () => {
    const { sessionId, url } = await topUp()
    const other = await topUp()
    const foreign = browser.readToken(await browser.open(other.url))
    expect((await browser.post(url, cardForm('4242424242424242'))).status).toBe(409)
    expect((await browser.post(url, { ...cardForm('4242424242424242'), token: foreign })).status).toBe(409)
    const token = browser.readToken(await browser.open(url))
    expect((await browser.post(url, { ...cardForm('4000000000000002'), token })).status).toBe(402)
    const repeated = await browser.post(url, { ...cardForm('4242424242424242'), token })
    expect([repeated.status, repeated.text.includes('This form was already sent')]).toEqual([409, true])
    expect((await payments.getCheckout(sessionId, read())).paid).toBe(false)
  })

  test('is valid for 24 hours', async () => {
    const { sessionId, url } = await topUp()
    const token = browser.readToken(await browser.open(url))
    await world.db`update embedded_sessions set expires_at = now() where id = ${sessionId}`
    expect((await browser.open(url)).status).toBe(410)
    expect((await browser.post(url, { ...cardForm('4242424242424242'), token })).status).toBe(410)
    expect((await payments.getCheckout(sessionId, read())).paid).toBe(false)
  })

  test('runs no script and escapes displayed text', async () => {
    const name = `<script>alert(1)</script>"'&`
    const { url } = await topUp({ lines: [{ name, amountCents: 100 }] })
    const { text, headers } = await browser.open(url)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    expect(text).not.toMatch(/<script|javascript:| on\w+=| style=/i)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none';style-src 'sha256-[^']+';form-action 'self' https:\/\/shop\.example;base-uri 'none';frame-ancestors 'none'$/,
    )
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await (await fetch(toTestUrl(url))).text()) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toContain('no-store')
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '/billing', ''])(
    'rejects %j as a link target',
    async (target) => {
      const refusal = { name: 'ProviderError', kind: 'invalid' }
      await expect(topUp({ successUrl: target })).rejects.toMatchObject(refusal)
      await expect(topUp({ cancelUrl: target })).rejects.toMatchObject(refusal)
      await expect(payments.createPortal({ customerId, returnUrl: target }, effect())).rejects.toMatchObject(refusal)
    },
  )

  test('shows the host of a link to another site and opens it only on a click', async () => {
    const foreign = 'https://elsewhere.example/x?y=1&z=2'
    const { url } = await topUp({ successUrl: foreign, cancelUrl: 'https://elsewhere.example/back' })
    const page = await browser.open(url)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';")
    expect(page.text).toContain('Cancel and go back to elsewhere.example')
    expect((await browser.send(url, cardForm('4242424242424242'))).location).toBe(url)
    const done = await browser.open(url)
    expect(done.status).toBe(200)
    expect(done.text).toContain(
      '<a href="https://elsewhere.example/x?y=1&amp;z=2" rel="noreferrer">Continue to elsewhere.example',
    )
    expect(done.text).not.toMatch(/http-equiv/i)
  })

  test('accepts only form data of limited size', async () => {
    const { pathname } = new URL((await topUp()).url)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await world.request('POST', pathname, { body: { action: 'pay' } })).status).toBe(415)
    const large = await world.request('POST', pathname, { body: `x=${'y'.repeat(20_000)}`, headers: form })
    expect(large.status).toBe(413)
    expect((await world.request('PUT', pathname, {})).status).toBe(405)
  })

  test('requires an email address if the customer is unknown', async () => {
    const { url, sessionId } = await payments.createCheckout(
      { mode: 'subscription', priceId: 'price_pro', trialDays: 30, successUrl: 'https://shop.example/x', metadata: {} },
      effect(),
    )
    expect((await browser.open(url)).text).toContain('30 days free, then 99.00 USD each month')
    const refused = await browser.send(url, cardForm('4242424242424242', { email: 'no-address' }))
    expect([refused.status, refused.text.includes('Enter an email address.')]).toEqual([400, true])
    await browser.send(url, cardForm('4242424242424242', { email: ' New@Example.com ' }))
    expect(await payments.getCheckout(sessionId, read())).toMatchObject({ email: 'new@example.com', amountCents: 0 })
    expect((await browser.open(url)).location).toBe(`https://shop.example/x?session_id=${sessionId}`)
  })
})
