import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { debitAccount } from '../../db/credits/ledger.ts'
import { planTable } from '../../domain/credits/plans.ts'
import type { Payment } from '../../providers/payment/index.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createFakeProvider } from './fake-provider.ts'
import { createPaymentsApi, type IntentRow, type PaymentsApi } from './payments-api.ts'
import { topUpAccount } from '../../workflows/payments/messages.ts'

const provider = createFakeProvider()
let world: World
let paymentsApi: PaymentsApi

beforeAll(async () => {
  world = await createWorld({
    payments: provider.port,
    settings: { PAYMENT_SWEEP_SECONDS: '0', RATE_LIMIT_CHECKOUTS_PER_MINUTE: '0' },
  })
  paymentsApi = createPaymentsApi(world, provider)
})
afterAll(() => world.close())
beforeEach(() => {
  provider.calls.length = 0
  provider.decline(undefined)
})

const untilIntent = (accountId: string, what: string, isSo: (intent: IntentRow) => boolean) =>
  eventually(what, async () => (await paymentsApi.listIntents(accountId)).find(isSo))

test('purchases whose webhook is lost are booked when the sweep polls the provider', async () => {
  const [charged, unanswered, unasked] = [
    await paymentsApi.makeBuyer(),
    await paymentsApi.makeBuyer(),
    await paymentsApi.makeBuyer(),
  ]
  const [onPage, idler] = [await world.makeAccount({ credits: 0 }), await world.makeAccount({ credits: 0 })]
  const { body } = await paymentsApi.buy(charged, 1_000_000)
  provider.lose('chargeSavedCard', 2)
  expect((await paymentsApi.buy(unanswered, 1_000_000)).status).toBe(502)
  provider.refuse('chargeSavedCard', 'unavailable', 'unavailable')
  expect((await paymentsApi.buy(unasked, 1_000_000)).status).toBe(503)
  paymentsApi.complete((await paymentsApi.buy(onPage, 1_000_000)).body.id)
  await paymentsApi.buy(idler, 1_000_000)
  await world.db`update payment_intents set created_at = now() - interval '26 hours' where account_id = ${idler.id}`
  await world.db`update payment_intents set created_at = now() - interval '7 minutes' where account_id = ${unasked.id}`

  for (const { id } of [charged, unanswered, onPage]) {
    await untilIntent(id, 'the booking', ({ state, paymentId }) => state === 'paid' && paymentId !== null)
    expect(await paymentsApi.readBalance(id)).toBe(1_000_000)
  }
  for (const { id } of [unasked, idler]) {
    await untilIntent(id, 'the failure', ({ state }) => state === 'failed')
    expect(await paymentsApi.readBalance(id)).toBe(0)
  }
  const payment = provider.payments.get(body.paymentIntentId)
  if (payment !== undefined) await paymentsApi.paid(payment)
  expect(await paymentsApi.readBalance(charged.id)).toBe(1_000_000)
})

const path = ({ id }: TestAccount): string => `/api/accounts/${id}/auto-top-up`
type State = { enabled: boolean; lastRunAt: string | null; lastError: string | null }
const read = async (buyer: TestAccount): Promise<State> => (await world.request<State>('GET', path(buyer), buyer)).body
const spend = (accountId: string, amount: number, reference: string) =>
  world.db.begin((tx) => debitAccount(tx, { accountId, amount, reference: `${reference}:${accountId}` }))

const { allotment } = planTable().free

const makeSpender = async (): Promise<TestAccount> => {
  const buyer = await paymentsApi.makeBuyer()
  await world.db`
    update credit_balances set refilled_at = now(), refill_allotment = ${allotment} where account_id = ${buyer.id}`
  const body = { enabled: true, amountCents: 2000, thresholdCents: 0 }
  expect((await world.request('PUT', path(buyer), { key: buyer.key, body })).status).toBe(200)
  return buyer
}

/** Sends the webhook of the nth card charge as soon as it exists. */
const settle = async (accountId: string, nth: number): Promise<IntentRow> => {
  const payment = await eventually(
    'the charge',
    async () => [...provider.payments.values()].filter(({ metadata }) => metadata['accountId'] === accountId)[nth],
    25_000,
  )
  await paymentsApi.paid(payment)
  return untilIntent(
    accountId,
    'the booking',
    ({ paymentId, state }) => paymentId === payment.paymentId && state === 'paid',
  )
}

const untilEnded = async ({ id }: TestAccount): Promise<void> => {
  await world.engine.start(topUpAccount, { accountId: id })
  await eventually('the end of the workflow', async () =>
    (await world.engine.readState(`top-up:${id}`)) === 'ended' ? true : undefined,
  )
}

/** Makes a run whose card was charged eleven minutes ago with an unknown result. */
const makeOpenRun = async ({ id }: TestAccount, paymentId: string | null): Promise<string> => {
  const intentId = randomUUID()
  await world.db`
    insert into payment_intents (id, account_id, purpose, credits, total_cents, path, state, payment_id)
    values (${intentId}, ${id}, 'auto_topup', 20000000, 2000, 'card', 'pending', ${paymentId})`
  await world.db`
    update credit_balances set auto_topup_last_run_at = now() - interval '11 minutes' where account_id = ${id}`
  return intentId
}

const listEmails = async (accountId: string): Promise<string[]> => {
  const rows = await world.db<{ subject: string }[]>`
    select subject from email_send_log where account_id = ${accountId}`
  return rows.map(({ subject }) => subject)
}
const buildDeclined = (metadata: Payment['metadata'], more: Partial<Payment> = {}): Payment => ({
  paymentId: `pay_${randomUUID()}`,
  status: 'failed',
  amountCents: 2000,
  currency: 'usd',
  declineCode: 'expired_card',
  metadata,
  ...more,
})
const disabled = { enabled: false, lastError: 'The card has expired' }

describe('an automatic top-up', () => {
  test('follows a debit below the threshold, once in ten minutes, without a fee', async () => {
    const spender = await makeSpender()
    await spend(spender.id, 1, 'first')
    expect(await settle(spender.id, 0)).toMatchObject({ credits: 20_000_000, totalCents: 2000 })
    expect(await paymentsApi.readBalance(spender.id)).toBe(19_999_999)
    expect((await read(spender)).lastRunAt).not.toBeNull()
    await spend(spender.id, 30_000_000, 'second')
    await Promise.all(Array.from({ length: 5 }, () => world.engine.start(topUpAccount, { accountId: spender.id })))
    await world.db`
      update credit_balances set auto_topup_last_run_at = now() - interval '11 minutes' where account_id = ${spender.id}`
    await Promise.all(Array.from({ length: 5 }, () => world.engine.start(topUpAccount, { accountId: spender.id })))
    await settle(spender.id, 1)
    expect(provider.callsOf('chargeSavedCard')).toHaveLength(2)
    expect(await paymentsApi.listIntents(spender.id)).toHaveLength(2)
  })

  test("is charged once when the card's responses are lost", async () => {
    const spender = await makeSpender()
    await spend(spender.id, 1, 'lost')
    provider.lose('chargeSavedCard', 2)
    await world.engine.start(topUpAccount, { accountId: spender.id })
    await untilIntent(spender.id, 'the booking', ({ state }) => state === 'paid')
    expect(new Set(provider.callsOf('chargeSavedCard').map(({ key }) => key)).size).toBe(1)
    expect(await paymentsApi.readBalance(spender.id)).toBe(19_999_999)
    provider.lose('chargeSavedCard', 0)
  })

  test('that the card declines is disabled, with one email', async () => {
    const spender = await makeSpender()
    provider.decline({ code: 'expired_card' })
    await spend(spender.id, 1, 'declined')
    await world.engine.start(topUpAccount, { accountId: spender.id })
    const state = await eventually(
      'the end',
      async () => {
        const seen = await read(spender)
        return seen.enabled ? undefined : seen
      },
      25_000,
    )
    expect(state.lastError).toBe('The card has expired')
    expect(await paymentsApi.listIntents(spender.id)).toMatchObject([{ state: 'failed' }])
    const mails = await world.db<{ recipients: string; subject: string }[]>`
      select array_to_string(recipients, ',') as recipients, subject
      from email_send_log where account_id = ${spender.id}`
    expect([...mails]).toEqual([{ recipients: spender.email, subject: 'Automatic top-up was disabled' }])
  })
  test('waits for a refill that is due and is charged if that does not reach the threshold', async () => {
    const spender = await makeSpender()
    await world.db`
      update credit_balances set refilled_at = now() - interval '40 days' where account_id = ${spender.id}`
    await spend(spender.id, 1, 'refill')
    await untilEnded(spender)
    expect(await paymentsApi.listIntents(spender.id)).toEqual([])
    const body = { enabled: true, amountCents: 2000, thresholdCents: 500 }
    expect(allotment).toBeLessThan(500 * 10_000)
    expect((await world.request('PUT', path(spender), { key: spender.key, body })).status).toBe(200)
    await untilEnded(spender)
    expect(await paymentsApi.listIntents(spender.id)).toHaveLength(1)
  })

  test('is not charged again while the outcome of the last charge is open', async () => {
    const spender = await makeSpender()
    await makeOpenRun(spender, null)
    await spend(spender.id, 1, 'open')
    await untilEnded(spender)
    expect(await paymentsApi.listIntents(spender.id)).toHaveLength(1)
    expect(provider.callsOf('chargeSavedCard')).toEqual([])
    await world.db`update payment_intents set state = 'failed' where account_id = ${spender.id}`
    await untilEnded(spender)
    expect(await paymentsApi.listIntents(spender.id)).toHaveLength(2)
  })

  test('that the webhook reports as declined is disabled, with one email', async () => {
    const spender = await makeSpender()
    const payment = buildDeclined({ intentId: await makeOpenRun(spender, null) })
    for (let time = 0; time < 2; time += 1) await paymentsApi.paid(payment, { type: 'payment_failed' })
    expect(await read(spender)).toMatchObject(disabled)
    expect(await paymentsApi.listIntents(spender.id)).toMatchObject([{ state: 'failed' }])
    expect(await listEmails(spender.id)).toEqual(['Automatic top-up was disabled'])
  })

  test('whose decline is not reported is disabled, with one email, once the provider is polled', async () => {
    const spenders = [await makeSpender(), await makeSpender()] as const
    const [refused, unconfirmed] = [buildDeclined({}), buildDeclined({}, { status: 'authentication_required' })]
    for (const payment of [refused, unconfirmed]) provider.payments.set(payment.paymentId, payment)
    await makeOpenRun(spenders[0], refused.paymentId)
    await makeOpenRun(spenders[1], unconfirmed.paymentId)
    for (const spender of spenders) {
      await untilIntent(spender.id, 'the failure', ({ state }) => state === 'failed')
      expect(await read(spender)).toMatchObject(disabled)
      expect(await listEmails(spender.id)).toEqual(['Automatic top-up was disabled'])
    }
  })

  test('whose email cannot be stored stays open and enabled', async () => {
    const spender = await makeSpender()
    const payment = buildDeclined({ intentId: await makeOpenRun(spender, null) })
    await world.db`alter table mail_outbox add constraint closed check (false) not valid`
    expect((await paymentsApi.paid(payment, { type: 'payment_failed' })).status).toBe(500)
    await world.db`alter table mail_outbox drop constraint closed`
    expect(await read(spender)).toMatchObject({ enabled: true, lastError: null })
    expect(await paymentsApi.listIntents(spender.id)).toMatchObject([{ state: 'pending' }])
  })
})
