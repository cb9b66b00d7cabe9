import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { debitAccount } from '../../db/ledger.ts'
import { claimAutoTopUp } from '../../db/payments/auto-top-up.ts'
import { createWorld, eventually } from '../world.ts'
import type { TestAccount, World } from '../world.ts'
import { createFakeParty } from './fake-party.ts'
import { tillOf } from './till.ts'
import type { IntentRow, Till } from './till.ts'

const party = createFakeParty()
let world: World
let till: Till

beforeAll(async () => {
  world = await createWorld({
    payments: party.port,
    settings: { PAYMENT_SWEEP_SECONDS: '0', RATE_LIMIT_CHECKOUTS_PER_MINUTE: '0' },
  })
  till = tillOf(world, party)
})
afterAll(() => world.close())
beforeEach(() => {
  party.calls.length = 0
  party.decline(undefined)
})

const until = (accountId: string, what: string, isSo: (intent: IntentRow) => boolean) =>
  eventually(what, async () => (await till.intentsOf(accountId)).find(isSo))

test('purchases whose webhook is lost are booked once the provider is asked', async () => {
  const [charged, unanswered, unasked] = [await till.makeBuyer(), await till.makeBuyer(), await till.makeBuyer()]
  const [onPage, idler] = [await world.makeAccount({ credits: 0 }), await world.makeAccount({ credits: 0 })]
  const { body } = await till.buy(charged, 1_000_000)
  party.lose('chargeSavedCard', 2)
  expect((await till.buy(unanswered, 1_000_000)).status).toBe(502)
  party.refuse('chargeSavedCard', 'unavailable', 'unavailable')
  expect((await till.buy(unasked, 1_000_000)).status).toBe(503)
  till.complete((await till.buy(onPage, 1_000_000)).body.id)
  await till.buy(idler, 1_000_000)
  await world.db`update payment_intents set created_at = now() - interval '26 hours' where account_id = ${idler.id}`
  await world.db`update payment_intents set created_at = now() - interval '7 minutes' where account_id = ${unasked.id}`

  for (const { id } of [charged, unanswered, onPage]) {
    await until(id, 'the booking', ({ state, paymentId }) => state === 'paid' && paymentId !== null)
    expect(await till.balanceOf(id)).toBe(1_000_000)
  }
  for (const { id } of [unasked, idler]) {
    await until(id, 'the failure', ({ state }) => state === 'failed')
    expect(await till.balanceOf(id)).toBe(0)
  }
  const payment = party.payments.get(body.paymentIntentId)
  if (payment !== undefined) await till.paid(payment)
  expect(await till.balanceOf(charged.id)).toBe(1_000_000)
})

const path = ({ id }: TestAccount): string => `/api/accounts/${id}/auto-top-up`
type State = { enabled: boolean; lastRunAt: string | null; lastError: string | null }
const read = async (buyer: TestAccount): Promise<State> => (await world.request<State>('GET', path(buyer), buyer)).body
const spend = (accountId: string, amount: number, reference: string) =>
  world.db.begin((tx) => debitAccount(tx, { accountId, amount, reference: `${reference}:${accountId}` }))

const makeSpender = async (): Promise<TestAccount> => {
  const buyer = await till.makeBuyer()
  await world.db`update credit_balances set remaining_credits = 0 where account_id = ${buyer.id}`
  const body = { enabled: true, amountCents: 2000, thresholdCents: 0 }
  expect((await world.request('PUT', path(buyer), { key: buyer.key, body })).status).toBe(200)
  return buyer
}

/** The webhook of the card's answer, as soon as there is one. */
const settle = async (accountId: string, nth: number): Promise<IntentRow> => {
  const payment = await eventually(
    'the charge',
    async () => [...party.payments.values()].filter(({ metadata }) => metadata['accountId'] === accountId)[nth],
    25_000,
  )
  await till.paid(payment)
  return until(accountId, 'the booking', ({ paymentId, state }) => paymentId === payment.paymentId && state === 'paid')
}

describe('an automatic top-up', () => {
  test('follows a debit below the threshold, once in ten minutes, without fee', async () => {
    const spender = await makeSpender()
    await spend(spender.id, 1, 'first')
    expect(await settle(spender.id, 0)).toMatchObject({ credits: 20_000_000, totalCents: 2000 })
    expect(await till.balanceOf(spender.id)).toBe(19_999_999)
    expect((await read(spender)).lastRunAt).not.toBeNull()
    await spend(spender.id, 30_000_000, 'second')
    await Promise.all(Array.from({ length: 5 }, () => world.engine.topUpAccount(spender.id)))
    await world.db`
      update credit_balances set auto_topup_last_run_at = now() - interval '11 minutes' where account_id = ${spender.id}`
    await Promise.all(Array.from({ length: 5 }, () => world.engine.topUpAccount(spender.id)))
    await settle(spender.id, 1)
    expect(party.callsOf('chargeSavedCard')).toHaveLength(2)
    expect(await till.intentsOf(spender.id)).toHaveLength(2)
  })

  test('is charged once when the answers of the card are lost', async () => {
    const spender = await makeSpender()
    await spend(spender.id, 1, 'lost')
    party.lose('chargeSavedCard', 2)
    await world.engine.topUpAccount(spender.id)
    await until(spender.id, 'the booking', ({ state }) => state === 'paid')
    expect(new Set(party.callsOf('chargeSavedCard').map(({ key }) => key)).size).toBe(1)
    expect(await till.balanceOf(spender.id)).toBe(19_999_999)
    party.lose('chargeSavedCard', 0)
  })

  test('that the card declines switches itself off, and says so in one mail', async () => {
    const spender = await makeSpender()
    party.decline({ code: 'expired_card' })
    await spend(spender.id, 1, 'declined')
    await world.engine.topUpAccount(spender.id)
    const state = await eventually(
      'the end',
      async () => {
        const seen = await read(spender)
        return seen.enabled ? undefined : seen
      },
      25_000,
    )
    expect(state.lastError).toBe('The card has expired')
    expect(await till.intentsOf(spender.id)).toMatchObject([{ state: 'failed' }])
    const mails = await world.db<{ recipients: string; subject: string }[]>`
      select array_to_string(recipients, ',') as recipients, subject
      from email_send_log where account_id = ${spender.id}`
    expect([...mails]).toEqual([{ recipients: spender.email, subject: 'Automatic top-up was switched off' }])
  })

  test('whose decline only the webhook tells of is switched off in the same way', async () => {
    const spender = await makeSpender()
    party.decline({ code: '', status: 'pending' })
    await spend(spender.id, 1, 'pending')
    await world.engine.topUpAccount(spender.id)
    const { paymentId } = await until(
      spender.id,
      'the charge',
      ({ state, paymentId }) => state === 'pending' && paymentId !== null,
    )
    const payment = party.payments.get(paymentId ?? '')
    if (payment === undefined) throw new Error('no payment')
    for (let times = 0; times < 2; times += 1)
      await till.tell({ type: 'payment_failed', paymentId: payment.paymentId, payment })
    expect(await read(spender)).toMatchObject({ enabled: false, lastError: 'The card was declined' })
    expect(await till.intentsOf(spender.id)).toMatchObject([{ state: 'failed' }])
    expect(await world.db`select 1 from email_send_log where account_id = ${spender.id}`).toHaveLength(1)
  })

  test('is not made while an earlier one is open', async () => {
    const spender = await makeSpender()
    party.decline({ code: '', status: 'pending' })
    await spend(spender.id, 1, 'open')
    await world.engine.topUpAccount(spender.id)
    await until(spender.id, 'the charge', ({ state }) => state === 'pending')
    await world.db`
      update credit_balances set auto_topup_last_run_at = now() - interval '11 minutes' where account_id = ${spender.id}`
    expect(await claimAutoTopUp(world.db, spender.id, world.config.plans)).toBeUndefined()
    expect(await till.intentsOf(spender.id)).toHaveLength(1)
  })

  test('is not made for credits that a refill gives', async () => {
    const spender = await makeSpender()
    await world.db`
      update credit_balances set remaining_credits = -1, refilled_at = now() - interval '40 days'
      where account_id = ${spender.id}`
    expect(await claimAutoTopUp(world.db, spender.id, world.config.plans)).toBeUndefined()
    expect(await till.intentsOf(spender.id)).toEqual([])
  })
})
