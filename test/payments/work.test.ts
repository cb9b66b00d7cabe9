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

const untilIntent = (accountId: string, description: string, matches: (intent: IntentRow) => boolean) =>
  eventually(description, async () => (await paymentsApi.listIntents(accountId)).find(matches))

test('purchases whose webhook is lost are credited when the sweep polls the provider', async () => {
  const [charged, withoutResponse, neverCharged] = [
    await paymentsApi.makeBuyer(),
    await paymentsApi.makeBuyer(),
    await paymentsApi.makeBuyer(),
  ]
  const [checkoutPayer, checkoutAbandoner] = [
    await world.makeAccount({ credits: 0 }),
    await world.makeAccount({ credits: 0 }),
  ]
  const { body } = await paymentsApi.buy(charged, 1_000_000)
  provider.lose('chargeSavedCard', 2)
  expect((await paymentsApi.buy(withoutResponse, 1_000_000)).status).toBe(502)
  provider.refuse('chargeSavedCard', 'unavailable', 'unavailable')
  expect((await paymentsApi.buy(neverCharged, 1_000_000)).status).toBe(503)
  paymentsApi.completeCheckout((await paymentsApi.buy(checkoutPayer, 1_000_000)).body.id)
  await paymentsApi.buy(checkoutAbandoner, 1_000_000)
  await world.db`update payment_intents set created_at = now() - interval '26 hours' where account_id = ${checkoutAbandoner.id}`
  await world.db`update payment_intents set created_at = now() - interval '7 minutes' where account_id = ${neverCharged.id}`

  for (const { id } of [charged, withoutResponse, checkoutPayer]) {
    await untilIntent(id, 'the booking', ({ state, paymentId }) => state === 'paid' && paymentId !== null)
    expect(await paymentsApi.readBalance(id)).toBe(1_000_000)
  }
  for (const { id } of [neverCharged, checkoutAbandoner]) {
    await untilIntent(id, 'the failure', ({ state }) => state === 'failed')
    expect(await paymentsApi.readBalance(id)).toBe(0)
  }
  const payment = provider.payments.get(body.paymentIntentId)
  if (payment !== undefined) await paymentsApi.reportPayment(payment)
  expect(await paymentsApi.readBalance(charged.id)).toBe(1_000_000)
})

const buildPath = ({ id }: TestAccount): string => `/api/accounts/${id}/auto-top-up`
type State = { enabled: boolean; lastRunAt: string | null; lastError: string | null }
const read = async (buyer: TestAccount): Promise<State> =>
  (await world.request<State>('GET', buildPath(buyer), buyer)).body
const spend = (accountId: string, amount: number, reference: string) =>
  world.db.begin((tx) => debitAccount(tx, { accountId, amount, reference: `${reference}:${accountId}` }))

const { allotment } = planTable().free

const makeSpender = async (): Promise<TestAccount> => {
  const buyer = await paymentsApi.makeBuyer()
  await world.db`
    update credit_balances set refilled_at = now(), refill_allotment = ${allotment} where account_id = ${buyer.id}`
  const body = { enabled: true, amountCents: 2000, thresholdCents: 0 }
  expect((await world.request('PUT', buildPath(buyer), { key: buyer.key, body })).status).toBe(200)
  return buyer
}

/** Waits for the card charge at this index, sends its webhook and returns the paid intent. */
const reportNthCharge = async (accountId: string, index: number): Promise<IntentRow> => {
  const payment = await eventually(
    'the charge',
    async () => [...provider.payments.values()].filter(({ metadata }) => metadata['accountId'] === accountId)[index],
    25_000,
  )
  await paymentsApi.reportPayment(payment)
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

/** Inserts a top-up that started eleven minutes ago and whose charge has an unknown result. */
const insertPendingTopUp = async ({ id }: TestAccount, paymentId: string | null): Promise<string> => {
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
const buildDeclined = (metadata: Payment['metadata'], overrides: Partial<Payment> = {}): Payment => ({
  paymentId: `pay_${randomUUID()}`,
  status: 'failed',
  amountCents: 2000,
  currency: 'usd',
  declineCode: 'expired_card',
  metadata,
  ...overrides,
})
const disabled = { enabled: false, lastError: 'The card has expired' }

describe('an automatic top-up', () => {
  test('follows a debit below the threshold, at most once in ten minutes and without a fee', async () => {
    const spender = await makeSpender()
    await spend(spender.id, 1, 'first')
    expect(await reportNthCharge(spender.id, 0)).toMatchObject({ credits: 20_000_000, totalCents: 2000 })
    expect(await paymentsApi.readBalance(spender.id)).toBe(19_999_999)
    expect((await read(spender)).lastRunAt).not.toBeNull()
    await spend(spender.id, 30_000_000, 'second')
    await Promise.all(Array.from({ length: 5 }, () => world.engine.start(topUpAccount, { accountId: spender.id })))
    await world.db`
      update credit_balances set auto_topup_last_run_at = now() - interval '11 minutes' where account_id = ${spender.id}`
    await Promise.all(Array.from({ length: 5 }, () => world.engine.start(topUpAccount, { accountId: spender.id })))
    await reportNthCharge(spender.id, 1)
    expect(provider.listCalls('chargeSavedCard')).toHaveLength(2)
    expect(await paymentsApi.listIntents(spender.id)).toHaveLength(2)
  })

  test('is charged once even if responses of the provider are lost', async () => {
    const spender = await makeSpender()
    await spend(spender.id, 1, 'lost')
    provider.lose('chargeSavedCard', 2)
    await world.engine.start(topUpAccount, { accountId: spender.id })
    await untilIntent(spender.id, 'the booking', ({ state }) => state === 'paid')
    expect(new Set(provider.listCalls('chargeSavedCard').map(({ key }) => key)).size).toBe(1)
    expect(await paymentsApi.readBalance(spender.id)).toBe(19_999_999)
    provider.lose('chargeSavedCard', 0)
  })

  test('is disabled, with one email, when the card is declined', async () => {
    const spender = await makeSpender()
    provider.decline({ code: 'expired_card' })
    await spend(spender.id, 1, 'declined')
    await world.engine.start(topUpAccount, { accountId: spender.id })
    const state = await eventually(
      'the end',
      async () => {
        const current = await read(spender)
        return current.enabled ? undefined : current
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
  test('waits for a due refill and charges the card only if the refill does not reach the threshold', async () => {
    const spender = await makeSpender()
    await world.db`
      update credit_balances set refilled_at = now() - interval '40 days' where account_id = ${spender.id}`
    await spend(spender.id, 1, 'refill')
    await untilEnded(spender)
    expect(await paymentsApi.listIntents(spender.id)).toEqual([])
    const body = { enabled: true, amountCents: 2000, thresholdCents: 500 }
    expect(allotment).toBeLessThan(500 * 10_000)
    expect((await world.request('PUT', buildPath(spender), { key: spender.key, body })).status).toBe(200)
    await untilEnded(spender)
    expect(await paymentsApi.listIntents(spender.id)).toHaveLength(1)
  })

  test('is not charged again while the result of the last charge is unknown', async () => {
    const spender = await makeSpender()
    await insertPendingTopUp(spender, null)
    await spend(spender.id, 1, 'open')
    await untilEnded(spender)
    expect(await paymentsApi.listIntents(spender.id)).toHaveLength(1)
    expect(provider.listCalls('chargeSavedCard')).toEqual([])
    await world.db`update payment_intents set state = 'failed' where account_id = ${spender.id}`
    await untilEnded(spender)
    expect(await paymentsApi.listIntents(spender.id)).toHaveLength(2)
  })

  test('is disabled, with one email, when the webhook reports a decline', async () => {
    const spender = await makeSpender()
    const payment = buildDeclined({ intentId: await insertPendingTopUp(spender, null) })
    for (let time = 0; time < 2; time += 1) await paymentsApi.reportPayment(payment, { type: 'payment_failed' })
    expect(await read(spender)).toMatchObject(disabled)
    expect(await paymentsApi.listIntents(spender.id)).toMatchObject([{ state: 'failed' }])
    expect(await listEmails(spender.id)).toEqual(['Automatic top-up was disabled'])
  })

  test('is disabled, with one email, when a poll of the provider finds an unreported decline', async () => {
    const spenders = [await makeSpender(), await makeSpender()] as const
    const [refused, unconfirmed] = [buildDeclined({}), buildDeclined({}, { status: 'authentication_required' })]
    for (const payment of [refused, unconfirmed]) provider.payments.set(payment.paymentId, payment)
    await insertPendingTopUp(spenders[0], refused.paymentId)
    await insertPendingTopUp(spenders[1], unconfirmed.paymentId)
    for (const spender of spenders) {
      await untilIntent(spender.id, 'the failure', ({ state }) => state === 'failed')
      expect(await read(spender)).toMatchObject(disabled)
      expect(await listEmails(spender.id)).toEqual(['Automatic top-up was disabled'])
    }
  })

  test('remains pending and enabled if its email cannot be stored', async () => {
    const spender = await makeSpender()
    const payment = buildDeclined({ intentId: await insertPendingTopUp(spender, null) })
    await world.db`alter table mail_outbox add constraint closed check (false) not valid`
    expect((await paymentsApi.reportPayment(payment, { type: 'payment_failed' })).status).toBe(500)
    await world.db`alter table mail_outbox drop constraint closed`
    expect(await read(spender)).toMatchObject({ enabled: true, lastError: null })
    expect(await paymentsApi.listIntents(spender.id)).toMatchObject([{ state: 'pending' }])
  })
})
