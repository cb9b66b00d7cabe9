import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Payment } from '../../providers/payment/index.ts'
import { connect, type Tx } from '../../db/postgres/client.ts'
import { delayMirroring, listUnmirrored } from '../../db/payments/subscriptions.ts'
import { alertUnmatched } from '../../workers/sweeps/payments.ts'
import { createWorld, type World } from '../world/world.ts'
import { createFakeProvider } from './fake-provider.ts'
import { createPaymentsApi, type PaymentsApi } from './payments-api.ts'

const provider = createFakeProvider()
let world: World
let paymentsApi: PaymentsApi

beforeAll(async () => {
  world = await createWorld({ payments: provider.port, settings: { RATE_LIMIT_CHECKOUTS_PER_MINUTE: '0' } })
  paymentsApi = createPaymentsApi(world, provider)
})
afterAll(() => world.close())

/** Creates an accepted charge that no event has reported yet. */
const makeCharge = async (credits = 1_000_000) => {
  const buyer = await paymentsApi.makeBuyer()
  const { body } = await paymentsApi.buy(buyer, credits)
  const payment = provider.payments.get(body.paymentIntentId)
  if (payment === undefined) throw new Error('nothing was charged')
  return { buyer, payment }
}

const countAlerts = async (reason: string): Promise<number> => {
  const text = await (await fetch(world.metricsUrl)).text()
  const line = new RegExp(`^backline_payment_alerts_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)
  return Number(line?.[1] ?? 0)
}

const accepted = { status: 200, body: { received: true } }

test('an unreadable event raises an alert each time and is not stored as processed', async () => {
  const before = await countAlerts('unreadable_event')
  const event = { eventId: `evt_${randomUUID()}`, liveMode: false, type: 'unreadable', otherApiVersion: '2019-12-03' }
  const send = () =>
    world.request('POST', '/api/webhooks/payments', { body: event, headers: { 'x-payment-signature': 'good' } })
  expect([(await send()).body, (await send()).body]).toEqual([{ received: true }, { received: true }])
  expect(await countAlerts('unreadable_event')).toBe(before + 2)
  expect(await world.db`select 1 from payment_events where event_id = ${event.eventId}`).toHaveLength(0)
})

describe('a payment that is reported', () => {
  test('by one event that arrives 50 times concurrently is credited once', async () => {
    const { buyer, payment } = await makeCharge()
    const eventId = `evt_${randomUUID()}`
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => paymentsApi.reportPayment(payment, { eventId })),
    )
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 {"received":true}']),
    )
    expect(await paymentsApi.readBalance(buyer.id)).toBe(1_000_000)
  })

  test('by many concurrent events is credited once', async () => {
    const { buyer, payment } = await makeCharge()
    const responses = await Promise.all(Array.from({ length: 20 }, () => paymentsApi.reportPayment(payment)))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    expect(await paymentsApi.readBalance(buyer.id)).toBe(1_000_000)
  })

  test('by the event of its checkout and by its own event is credited once', async () => {
    const buyer = await world.makeAccount({ credits: 0 })
    const { body } = await paymentsApi.buy(buyer, 1_000_000)
    const checkout = paymentsApi.completeCheckout(body.id)
    const { paymentId, metadata } = checkout
    const payment: Payment = {
      paymentId: paymentId ?? '',
      status: 'succeeded',
      amountCents: 134,
      currency: 'usd',
      metadata,
    }
    await Promise.all([
      paymentsApi.reportCheckout(checkout),
      paymentsApi.reportPayment(payment),
      paymentsApi.reportCheckout(checkout),
      paymentsApi.reportPayment(payment),
    ])
    expect(await paymentsApi.readBalance(buyer.id)).toBe(1_000_000)
  })

  test('is credited with the account and amount of its intent, regardless of the content of the event', async () => {
    const { buyer, payment } = await makeCharge()
    const thief = await world.makeAccount({ credits: 0 })
    const metadata = { ...payment.metadata, accountId: thief.id, credits: '999000000' }
    await paymentsApi.reportPayment({ ...payment, metadata })
    expect([await paymentsApi.readBalance(buyer.id), await paymentsApi.readBalance(thief.id)]).toEqual([1_000_000, 0])
  })

  test('is matched by its id if its metadata is missing', async () => {
    const { buyer, payment } = await makeCharge()
    expect(await paymentsApi.reportPayment({ ...payment, metadata: {} })).toMatchObject(accepted)
    expect(await paymentsApi.readBalance(buyer.id)).toBe(1_000_000)
  })

  test.each([
    ['too small an amount', { amountCents: 133 }],
    ['too large an amount', { amountCents: 135 }],
    ['another currency', { currency: 'eur' }],
  ])('with %s is not credited and raises an alert', async (_, wrong) => {
    const { buyer, payment } = await makeCharge()
    const before = await countAlerts('amount_mismatch')
    expect(await paymentsApi.reportPayment({ ...payment, ...wrong })).toMatchObject(accepted)
    expect(await paymentsApi.readBalance(buyer.id)).toBe(0)
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'mismatch' }])
    expect(await countAlerts('amount_mismatch')).toBe(before + 1)
    await paymentsApi.reportPayment(payment)
    expect(await paymentsApi.readBalance(buyer.id)).toBe(0)
  })

  test('without an intent of this service raises an alert and changes nothing', async () => {
    const { payment } = await makeCharge()
    const before = await countAlerts('unknown_intent')
    for (const intentId of [randomUUID(), "' or true --"])
      expect(
        await paymentsApi.reportPayment({ ...payment, paymentId: `pay_${randomUUID()}`, metadata: { intentId } }),
      ).toMatchObject(accepted)
    expect(await countAlerts('unknown_intent')).toBe(before + 2)
  })

  test('without metadata raises one alert after an hour, unless its customer has a subscription', async () => {
    const { payment } = await makeCharge()
    const before = await countAlerts('unknown_intent')
    const alerts: string[] = []
    const sweep = async (): Promise<void> => {
      const log = { error: ({ paymentRef }: { paymentRef: string }) => alerts.push(paymentRef) }
      // The sweep uses only this method of the logger.
      await alertUnmatched({ db: world.db, log: log as unknown as Logger })
    }
    const pay = async (customerId: string): Promise<string> => {
      const paymentId = `pay_${randomUUID()}`
      expect(await paymentsApi.reportPayment({ ...payment, paymentId, metadata: {} }, { customerId })).toMatchObject(
        accepted,
      )
      return paymentId
    }
    const newSubscription = paymentsApi.addSubscription()
    await pay(newSubscription.customerId)
    const unknownPayment = await pay(`cus_${randomUUID()}`)
    await paymentsApi.sendEvent({ type: 'subscription_changed', subscriptionId: newSubscription.subscriptionId })
    await pay(newSubscription.customerId)
    await sweep()
    expect(alerts).toEqual([])
    await world.db`update unmatched_payments set received_at = received_at - interval '61 minutes'`
    for (let times = 0; times < 2; times += 1) await sweep()
    expect(alerts).toEqual([unknownPayment])
    expect(await countAlerts('unknown_intent')).toBe(before)
  })

  test('for an intent that is already paid raises an alert and is not credited', async () => {
    const { buyer, payment } = await makeCharge()
    await paymentsApi.reportPayment(payment)
    const before = await countAlerts('paid_twice')
    await paymentsApi.reportPayment({ ...payment, paymentId: `pay_${randomUUID()}` })
    expect([await paymentsApi.readBalance(buyer.id), await countAlerts('paid_twice')]).toEqual([1_000_000, before + 1])
  })
})

describe('a failure event', () => {
  test('ends its charge, and a later success is still credited', async () => {
    const { buyer, payment } = await makeCharge()
    await paymentsApi.reportPayment(payment, { type: 'payment_failed' })
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'failed' }])
    await paymentsApi.reportPayment(payment)
    expect(await paymentsApi.readBalance(buyer.id)).toBe(1_000_000)
    await paymentsApi.reportPayment(payment, { type: 'payment_failed' })
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'paid' }])
  })

  test('for a checkout page leaves the page open', async () => {
    const buyer = await world.makeAccount({ credits: 0 })
    const { body } = await paymentsApi.buy(buyer, 1_000_000)
    const { metadata } = paymentsApi.completeCheckout(body.id)
    const payment: Payment = { paymentId: 'pay_x', status: 'failed', amountCents: 134, currency: 'usd', metadata }
    await paymentsApi.reportPayment(payment, { type: 'payment_failed' })
    expect(await paymentsApi.listIntents(buyer.id)).toMatchObject([{ state: 'created' }])
  })

  test.each(['refund_or_dispute' as const])(
    'of the type %s raises an alert and does not change the ledger',
    async (type) => {
      const { buyer, payment } = await makeCharge()
      await paymentsApi.reportPayment(payment)
      const before = await countAlerts(type)
      expect(await paymentsApi.sendEvent({ type, paymentId: payment.paymentId })).toMatchObject(accepted)
      expect([await paymentsApi.readBalance(buyer.id), await countAlerts(type)]).toEqual([1_000_000, before + 1])
    },
  )
})

describe('an event', () => {
  const wrong: Record<string, string>[] = [{ 'x-payment-signature': 'bad' }, {}]
  test.each(wrong)('with the headers %j is rejected', async (headers) => {
    const { buyer, payment } = await makeCharge()
    const response = await paymentsApi.reportPayment(payment)
    const forged = await paymentsApi.sendEvent(
      {},
      { body: { eventId: 'evt_x', type: 'payment_succeeded', payment }, headers },
    )
    expect([forged.status, forged.body]).toEqual([400, { error: 'The signature is missing, wrong or too old' }])
    expect([response.status, await paymentsApi.readBalance(buyer.id)]).toEqual([200, 1_000_000])
  })

  test('of the other mode (live or test) or of an unknown type changes nothing', async () => {
    const { buyer, payment } = await makeCharge()
    expect(await paymentsApi.reportPayment(payment, { liveMode: true })).toMatchObject(accepted)
    expect(await paymentsApi.reportPayment(payment, { type: 'unknown' })).toMatchObject(accepted)
    expect(await paymentsApi.readBalance(buyer.id)).toBe(0)
  })

  test('over a megabyte is rejected with 413', async () => {
    const body = Buffer.alloc(1024 * 1024 + 1, 0x20)
    expect(await paymentsApi.sendEvent({}, { body })).toMatchObject({
      status: 413,
      body: { error: 'Request body too large' },
    })
  })

  test('whose processing fails returns 500, stores nothing and succeeds when the provider repeats it', async () => {
    const { subscriptionId } = paymentsApi.addSubscription()
    const event = { eventId: `evt_${randomUUID()}`, type: 'subscription_changed' as const, subscriptionId }
    provider.refuse('getSubscription', 'unavailable')
    expect(await paymentsApi.sendEvent(event)).toMatchObject({ status: 500, body: { error: 'Internal server error' } })
    expect(await world.db`select 1 from payment_events where event_id = ${event.eventId}`).toHaveLength(0)
    expect(await paymentsApi.sendEvent(event)).toMatchObject(accepted)
    expect(await world.db`select 1 from subscriptions where subscription_id = ${subscriptionId}`).toHaveLength(1)
  })
})

const createCardSetup = async (account: { key: string }): Promise<string> => {
  const { body } = await world.request<{ id: string }>('POST', '/api/subscriptions/card-on-file', account)
  return body.id
}
const findCard = async (accountId: string): Promise<string | null | undefined> => {
  const [row] = await world.db<{ id: string | null }[]>`
    select default_card ->> 'id' as id from payment_customers where account_id = ${accountId}`
  return row?.id
}

describe('a saved card', () => {
  test('becomes the default; of two cards, the card from the newer page does, in any order of events', async () => {
    const account = await world.makeAccount()
    const customerId = `cus_${account.id}`
    const [olderSetup, newerSetup] = [await createCardSetup(account), await createCardSetup(account)]
    const cards = [provider.addCard(customerId), provider.addCard(customerId)]
    await paymentsApi.reportCheckout(paymentsApi.completeCheckout(newerSetup, { cardId: cards[1]?.id ?? '' }))
    await paymentsApi.reportCheckout(paymentsApi.completeCheckout(olderSetup, { cardId: cards[0]?.id ?? '' }))
    expect(await findCard(account.id)).toBe(cards[1]?.id)
    expect((await provider.port.getDefaultCard(customerId, { signal: AbortSignal.timeout(1000) }))?.id).toBe(
      cards[1]?.id,
    )
  })

  test('is shown and can be removed', async () => {
    const account = await world.makeAccount()
    const path = `/api/accounts/${account.id}/payment-method`
    expect((await world.request('GET', path, account)).body).toEqual({ account_id: account.id, card: null })
    const card = provider.addCard(`cus_${account.id}`)
    await paymentsApi.reportCheckout(paymentsApi.completeCheckout(await createCardSetup(account), { cardId: card.id }))
    expect((await world.request('GET', path, account)).body).toEqual({
      account_id: account.id,
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, funding: 'credit' },
    })
    const autoTopUp = `/api/accounts/${account.id}/auto-top-up`
    const settings = { enabled: true, amountCents: 500, thresholdCents: 100 }
    expect((await world.request('PUT', autoTopUp, { ...account, body: settings })).status).toBe(200)
    for (let time = 0; time < 2; time += 1) expect((await world.request('DELETE', path, account)).status).toBe(204)
    expect((await world.request('GET', path, account)).body).toMatchObject({ card: null })
    expect(await findCard(account.id)).toBeNull()
    expect((await world.request('GET', autoTopUp, account)).body).toMatchObject({ enabled: false, amountCents: 500 })
    expect((await paymentsApi.buy(account, 1_000_000)).body.url).toBeDefined()
  })
})

/** Changes rows without their triggers, so that `updated_at` keeps the value that it is set to. */
const changeWithoutTriggers = async (change: (sql: Tx) => Promise<unknown>): Promise<void> => {
  const owner = connect({ url: world.databaseUrl, max: 1, name: 'test' })
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await change(tx)
  })
  await owner.end()
}

test('a subscription owner that the provider rejects is sent again at increasing intervals', async () => {
  const account = await world.makeAccount()
  const { subscriptionId } = paymentsApi.addSubscription()
  await paymentsApi.sendEvent({ type: 'subscription_changed', subscriptionId })
  await changeWithoutTriggers(
    (sql) => sql`
      update subscriptions set account_id = ${account.id}, updated_at = now() - interval '1 minute'
      where subscription_id = ${subscriptionId}`,
  )
  const isListed = async () =>
    (await listUnmirrored(world.db, { after: undefined, limit: 1000 })).some(({ id }) => id === subscriptionId)
  const waits: number[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await isListed()).toBe(true)
    await delayMirroring(world.db, subscriptionId)
    await changeWithoutTriggers((sql) => sql`update subscriptions set updated_at = now() - interval '1 minute'`)
    expect(await isListed()).toBe(false)
    const [row] = await world.db<{ minutes: number }[]>`
      select round(extract(epoch from mirror_after - now()) / 60)::int as minutes from subscriptions
      where subscription_id = ${subscriptionId}`
    waits.push(row?.minutes ?? 0)
    await changeWithoutTriggers(
      (sql) => sql`update subscriptions set mirror_after = now() where subscription_id = ${subscriptionId}`,
    )
  }
  expect(waits).toEqual([1, 2, 4])
})
