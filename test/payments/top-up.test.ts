import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ChargeOutcome } from '../../domain/payments/payments.ts'
import { EngineTimeoutError } from '../../engine/client.ts'
import type { Payment } from '../../providers/payment/index.ts'
import { createWorld, type World } from '../world/world.ts'
import { createFakeProvider } from './fake-provider.ts'
import { createPaymentsApi, type PaymentsApi } from './payments-api.ts'
import { chargeCard } from '../../workflows/payments/messages.ts'
import { withWorkflow } from '../world/stubs.ts'

const provider = createFakeProvider()
let world: World
let paymentsApi: PaymentsApi

beforeAll(async () => {
  world = await createWorld({ payments: provider.port, settings: { RATE_LIMIT_CHECKOUTS_PER_MINUTE: '0' } })
  paymentsApi = createPaymentsApi(world, provider)
})
afterAll(() => world.close())
beforeEach(() => {
  provider.calls.length = 0
  provider.decline(undefined)
})

const requirePayment = (paymentId: string): Payment => {
  const payment = provider.payments.get(paymentId)
  if (payment === undefined) throw new Error('no such payment')
  return payment
}

describe('POST /api/credits/sessions with a card on file', () => {
  test('charges the card, and the webhook changes the balance', async () => {
    const buyer = await paymentsApi.makeBuyer()
    const { status, body } = await paymentsApi.buy(buyer, 5_000_000)
    expect([status, body]).toEqual([
      200,
      { paymentIntentId: expect.stringMatching(/^pay_/) as string, creditsPurchased: 5_000_000, totalCents: 546 },
    ])
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'pending', path: 'card', totalCents: 546 }])
    expect(await paymentsApi.readBalance(buyer.id)).toBe(0)
    const payment = requirePayment(body.paymentIntentId)
    expect(payment).toMatchObject({
      amountCents: 546,
      currency: 'usd',
      metadata: { accountId: buyer.id, credits: '5000000', purpose: 'credits_topup' },
    })
    expect(await paymentsApi.reportPayment(payment)).toMatchObject({ status: 200, body: { received: true } })
    expect(await paymentsApi.readBalance(buyer.id)).toBe(5_000_000)
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'paid', paymentId: payment.paymentId }])
    const entries = await world.db`select reference, kind, amount from credit_ledger where account_id = ${buyer.id}`
    expect([...entries]).toEqual([{ reference: `topup:${payment.paymentId}`, kind: 'topup', amount: 5_000_000 }])
  })

  test('stores the intent before it calls the provider, and uses the id of the intent as the idempotency key', async () => {
    const buyer = await paymentsApi.makeBuyer()
    await paymentsApi.buy(buyer, 1_000_000)
    const [intent] = await paymentsApi.listIntents(buyer.id)
    expect(provider.calls).toEqual([{ operation: 'chargeSavedCard', key: intent?.id }])
  })

  test.each([
    ['expired_card', undefined, 'The card has expired'],
    ['do_not_honor', undefined, 'The card was declined'],
    ['authentication_required', 'authentication_required' as const, 'The card requires confirmation by its owner'],
  ])('that declines (%s) returns a checkout and the reason', async (code, status, message) => {
    const buyer = await paymentsApi.makeBuyer()
    provider.decline({ code, ...(status && { status }) })
    const { status: responseStatus, body } = await paymentsApi.buy(buyer, 2_500_000)
    expect(responseStatus).toBe(200)
    expect(body).toEqual({ id: body.id, url: `https://pay.example/${body.id}`, declineReason: { code, message } })
    const session = paymentsApi.completeCheckout(body.id)
    await paymentsApi.reportCheckout(session)
    expect(await paymentsApi.readBalance(buyer.id)).toBe(2_500_000)
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'paid', path: 'checkout' }])
  })

  test('that the provider does not know returns a checkout, and the card is deleted', async () => {
    const buyer = await paymentsApi.makeBuyer()
    provider.removeCards(buyer.customerId)
    const { body } = await paymentsApi.buy(buyer, 1_000_000)
    expect(body.declineReason?.code).toBe('card_missing')
    const repeated = await paymentsApi.buy(buyer, 2_000_000)
    expect([repeated.body.url === undefined, repeated.body.declineReason]).toEqual([false, undefined])
  })
})

describe('an unknown outcome', () => {
  test('is retried once with the same key, and the card is charged once', async () => {
    const buyer = await paymentsApi.makeBuyer()
    provider.lose('chargeSavedCard')
    const { status, body } = await paymentsApi.buy(buyer, 1_000_000)
    expect([status, body.totalCents]).toEqual([200, 134])
    const keys = provider.listCalls('chargeSavedCard').map(({ key }) => key)
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  })

  test('that stays unknown returns 502, and the purchase is pending until the webhook reports the payment', async () => {
    const buyer = await paymentsApi.makeBuyer()
    provider.lose('chargeSavedCard', 2)
    expect(await paymentsApi.buy(buyer, 1_000_000)).toMatchObject({
      status: 502,
      body: { error: 'The payment provider did not respond in time' },
    })
    const [intent] = await paymentsApi.listIntents(buyer.id)
    expect(intent).toMatchObject({ state: 'pending', paymentId: null })
    const payment = [...provider.payments.values()].find(({ metadata }) => metadata['intentId'] === intent?.id)
    await paymentsApi.reportPayment(payment ?? requirePayment(''))
    expect(await paymentsApi.readBalance(buyer.id)).toBe(1_000_000)
  })

  test('is resolved by a repeated request with the same Idempotency-Key, without a second charge', async () => {
    const buyer = await paymentsApi.makeBuyer()
    provider.lose('chargeSavedCard', 2)
    expect((await paymentsApi.buy(buyer, 1_000_000, { key: 'again' })).status).toBe(502)
    const { status, body } = await paymentsApi.buy(buyer, 1_000_000, { key: 'again' })
    expect([status, body.creditsPurchased]).toEqual([200, 1_000_000])
    expect(await paymentsApi.listIntents(buyer.id)).toHaveLength(1)
    expect(new Set(provider.listCalls('chargeSavedCard').map(({ key }) => key)).size).toBe(1)
  })

  test('does not arise if the provider is unreachable, and the request returns 503 with Retry-After', async () => {
    const buyer = await paymentsApi.makeBuyer()
    provider.refuse('chargeSavedCard', 'unavailable', 'unavailable')
    const response = await paymentsApi.buy(buyer, 1_000_000)
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true])
  })

  test('does not arise if the provider rejects the charge; the request returns 502, and the intent fails', async () => {
    const buyer = await paymentsApi.makeBuyer()
    provider.refuse('chargeSavedCard', 'unauthorized')
    expect(await paymentsApi.buy(buyer, 1_000_000)).toMatchObject({ status: 502 })
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'failed' }])
  })
})

const timeOut = () => Promise.reject(new EngineTimeoutError('not done'))

describe('a charge that does not finish while the request waits', () => {
  test('returns 502 and continues, and a repeated request with the same Idempotency-Key returns its result', async () => {
    const buyer = await paymentsApi.makeBuyer()
    const { engine } = world
    let pendingCharge: Promise<ChargeOutcome> | undefined
    const slow = withWorkflow(engine, chargeCard, (input, timeoutMs = 0) => {
      pendingCharge = engine.join(chargeCard, input, timeoutMs)
      return timeOut()
    })
    const first = await world.withEngine(slow, () => paymentsApi.buy(buyer, 1_000_000, { key: 'patient' }))
    // The response depends on whether the charge has finished in the meantime.
    expect([200, 502]).toContain(first.status)
    expect(await pendingCharge).toEqual({ is: 'charged' })
    const { status, body } = await paymentsApi.buy(buyer, 1_000_000, { key: 'patient' })
    expect([status, provider.payments.has(body.paymentIntentId)]).toEqual([200, true])
    expect(await paymentsApi.listIntents(buyer.id)).toHaveLength(1)
    expect(provider.listCalls('chargeSavedCard')).toHaveLength(1)
  })

  test('returns 502 without a worker, and the purchase remains pending', async () => {
    const buyer = await paymentsApi.makeBuyer()
    const { status } = await world.withEngine(withWorkflow(world.engine, chargeCard, timeOut), () =>
      paymentsApi.buy(buyer, 1_000_000),
    )
    expect(status).toBe(502)
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'created', path: 'card' }])
    expect(provider.calls).toEqual([])
  })
})

describe('a charge', () => {
  test('without an Idempotency-Key is not repeated by an equal request within a minute', async () => {
    const buyer = await paymentsApi.makeBuyer()
    const first = await paymentsApi.buy(buyer, 1_000_000)
    const second = await paymentsApi.buy(buyer, 1_000_000)
    expect(second.body).toEqual(first.body)
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect((await paymentsApi.buy(buyer, 2_000_000)).body.paymentIntentId).not.toBe(first.body.paymentIntentId)
    await world.db`
      update payment_intents set created_at = now() - interval '61 seconds' where account_id = ${buyer.id}`
    expect((await paymentsApi.buy(buyer, 1_000_000)).body.paymentIntentId).not.toBe(first.body.paymentIntentId)
  })

  test('is made once for 20 concurrent requests', async () => {
    const buyer = await paymentsApi.makeBuyer()
    const responses = await Promise.all(Array.from({ length: 20 }, () => paymentsApi.buy(buyer, 1_000_000)))
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.paymentIntentId}`)).size).toBe(1)
    expect(provider.listCalls('chargeSavedCard')).toHaveLength(1)
  })

  test('is made once per Idempotency-Key', async () => {
    const buyer = await paymentsApi.makeBuyer()
    const key = randomUUID()
    const first = await paymentsApi.buy(buyer, 1_000_000, { key })
    const repeated = await paymentsApi.buy(buyer, 1_000_000, { key })
    expect([repeated.body, repeated.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    expect((await paymentsApi.buy(buyer, 1_000_000, { key: randomUUID() })).body).not.toEqual(first.body)
    expect(await paymentsApi.buy(buyer, 3_000_000, { key })).toMatchObject({ status: 422 })
  })
})

describe('without a card', () => {
  test('returns a checkout that saves the card for later', async () => {
    const buyer = await world.makeAccount({ credits: 0 })
    const successUrl = 'https://app.example.com/billing?ok=1'
    const { status, body } = await paymentsApi.buy(buyer, 1_000_000, { body: { successUrl } })
    expect([status, body]).toEqual([200, { id: body.id, url: `https://pay.example/${body.id}` }])
    expect(provider.requests.get(body.id)).toMatchObject({
      mode: 'payment',
      saveCard: true,
      successUrl,
      lines: [
        { name: 'Credits', amountCents: 100 },
        { name: 'Processing fee', amountCents: 34 },
      ],
    })
    const card = provider.addCard(`cus_${buyer.id}`)
    const session = paymentsApi.completeCheckout(body.id, { cardId: card.id })
    await paymentsApi.reportCheckout(session)
    expect(await paymentsApi.readBalance(buyer.id)).toBe(1_000_000)
    expect((await paymentsApi.buy(buyer, 2_000_000)).body.paymentIntentId).toMatch(/^pay_/)
  })

  test('returns 503 after three calls to an unreachable provider', async () => {
    const buyer = await world.makeAccount({ credits: 0 })
    provider.refuse('createCheckout', 'unavailable', 'unavailable', 'unavailable')
    expect((await paymentsApi.buy(buyer, 1_000_000)).status).toBe(503)
    expect(provider.listCalls('createCheckout')).toHaveLength(3)
  })
})

describe('a purchase is rejected', () => {
  test.each([
    [{}, 'credits is required'],
    [{ credits: 0 }, 'credits must be at least 1'],
    [{ credits: 1.5 }, 'credits must be an integer'],
    [{ credits: '5' }, 'credits must be a number'],
    [{ credits: 100_000_000_001 }, 'credits must be at most 100000000000'],
    [{ credits: 1, successUrl: 'http://evil.example/' }, 'successUrl must be an absolute https URL'],
    [{ credits: 1, accountId: 'x' }, 'accountId must be a UUID'],
  ])('%j', async (body, error) => {
    const { key } = await world.makeAccount()
    expect(await world.request('POST', '/api/credits/sessions', { key, body })).toMatchObject({
      status: 400,
      body: { error },
    })
  })

  test('for another account and with a run key', async () => {
    const [buyer, outsider] = [await paymentsApi.makeBuyer(), await world.makeAccount()]
    expect(await paymentsApi.buy(outsider, 1_000_000, { body: { accountId: buyer.id } })).toMatchObject({
      status: 403,
      body: { error: 'Access denied to this account' },
    })
    const key = await world.makeKey(buyer.id, { expiresAt: new Date(Date.now() + 60_000) })
    expect((await paymentsApi.buy({ ...buyer, key }, 1_000_000)).status).toBe(403)
    expect(await paymentsApi.listIntents(buyer.id)).toEqual([])
  })
})

describe('for an organization', () => {
  test("a member buys with the organization's card", async () => {
    const organization = await world.makeOrganization()
    const member = await world.makeAccount({ credits: 0, organizationId: organization.id })
    const [memberCard, organizationCard] = [
      await paymentsApi.saveCard(member.id),
      await paymentsApi.saveCard(organization.id),
    ]
    const { status, body } = await paymentsApi.buy(member, 1_000_000, { body: { accountId: organization.id } })
    expect(status).toBe(200)
    expect(provider.charged.get(body.paymentIntentId)).toEqual(organizationCard)
    expect([...provider.charged.values()]).not.toContainEqual(memberCard)
    await paymentsApi.reportPayment(requirePayment(body.paymentIntentId))
    expect([await paymentsApi.readBalance(organization.id), await paymentsApi.readBalance(member.id)]).toEqual([
      1_000_000, 0,
    ])
  })

  test('a member with a personal card receives a checkout page if the organization has no card', async () => {
    const organization = await world.makeOrganization()
    const member = await world.makeAccount({ credits: 0, organizationId: organization.id })
    await paymentsApi.saveCard(member.id)
    const { status, body } = await paymentsApi.buy(member, 1_000_000, { body: { accountId: organization.id } })
    expect([status, typeof body.url]).toEqual([200, 'string'])
    expect(await paymentsApi.listIntents(organization.id)).toMatchObject([{ path: 'checkout' }])
    expect(provider.listCalls('chargeSavedCard')).toEqual([])
  })
})
