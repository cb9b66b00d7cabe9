import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '../../db/postgres/client.ts'
import { creditAccount, debitAccount, debitIfCovered, holdCredits } from '../../db/credits/ledger.ts'
import { readPlans } from '../../db/credits/plans.ts'
import { createWorld, type World } from '../world/world.ts'
import { subscribe } from './money.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { ENTERPRISE_DOMAINS: 'label.example' } })
})
afterAll(() => world.close())

const usage = { source: 'api', modelId: 'POST /api/example' } as const
const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.db.begin(work) as Promise<T>
const makeAccountWith = async (credits: number): Promise<string> => (await world.makeAccount({ credits })).id
const plans = () => world.config.plans
const debit = (accountId: string, amount: number, reference: string) =>
  inTx((tx) => debitIfCovered(tx, { accountId, amount, reference, usage, plans: plans() }))
const hold = (accountId: string, amount: number, reference: string) =>
  inTx((tx) => holdCredits(tx, { accountId, amount, reference, lifetimeMs: 60_000, plans: plans() }))
const readBalance = async (id: string): Promise<number> => {
  const [row] = await world.db<{ balance: number }[]>`
    select remaining_credits as balance from credit_balances where account_id = ${id}`
  return row?.balance ?? 0
}
const setLastRefill = (id: string, ago: string) =>
  world.db`update credit_balances set refilled_at = now() - ${ago}::text::interval where account_id = ${id}`
const setBalance = async (id: string, wanted: number): Promise<void> => {
  const change = wanted - (await readBalance(id))
  const entry = { accountId: id, amount: Math.abs(change), reference: `set:${randomUUID()}` }
  await inTx((tx) => (change > 0 ? creditAccount(tx, { ...entry, kind: 'topup' }) : debitAccount(tx, entry)))
}
const listRefills = (id: string) =>
  world.db<{ reference: string; amount: number }[]>`
    select reference, amount from credit_ledger where account_id = ${id} and kind = 'refill'`
const readPlan = async (id: string) => (await readPlans(world.db, id, plans())).own
const emailAt = (domain: string): string => `${randomUUID()}@${domain}`

describe('a refill', () => {
  test.each([
    [1_200_000, 3_330_000, 2_130_000],
    [-500_000, 3_330_000, 3_830_000],
  ])('raises a balance of %i on the free plan to %i, which covers the amount', async (balance, wanted, amount) => {
    const id = await makeAccountWith(0)
    await setBalance(id, balance)
    await world.db`update credit_balances set refilled_at = '2024-01-31T10:00:00.123Z' where account_id = ${id}`
    expect(await debit(id, wanted, `take:${id}`)).toEqual({ covered: true, first: true })
    expect(await listRefills(id)).toEqual([
      { reference: `refill:${id}:${Date.UTC(2024, 0, 31, 10, 0, 0, 123)}`, amount },
    ])
    expect(await readBalance(id)).toBe(0)
  })

  test('does not change a balance above the allotment', async () => {
    const id = await makeAccountWith(41_000_000)
    await setLastRefill(id, '40 days')
    expect(await debit(id, 41_000_001, `take:${id}`)).toEqual({ covered: false, available: 41_000_000 })
    expect(await listRefills(id)).toEqual([])
  })

  test('that would not cover the amount is not booked, but is included in the reported balance', async () => {
    const id = await makeAccountWith(0)
    await setLastRefill(id, '40 days')
    expect(await hold(id, 3_330_001, `hold:${id}`)).toEqual({ covered: false, available: 3_330_000 })
    expect(await listRefills(id)).toEqual([])
  })

  test('is not due twice within a calendar month, nor in the month of the starting credits', async () => {
    const id = await makeAccountWith(0)
    expect(await debit(id, 1, `take:${id}`)).toEqual({ covered: false, available: 0 })
    await setLastRefill(id, '27 days')
    expect(await debit(id, 1, `take:${id}`)).toEqual({ covered: false, available: 0 })
  })

  test('is due immediately with a larger allotment, and with each subscription period', async () => {
    const id = await makeAccountWith(0)
    await subscribe(world.db, id, { plan: 'starter', periodStart: new Date(Date.now() - 40 * 86_400_000) })
    expect(await debit(id, 20_000_000, `first:${id}`)).toMatchObject({ covered: true })
    expect(await debit(id, 1, `short:${id}`)).toMatchObject({ covered: false })
    await setLastRefill(id, '5 days')
    expect(await debit(id, 1, `short:${id}`)).toMatchObject({ covered: false })
    await subscribe(world.db, id, { plan: 'starter', periodStart: new Date(Date.now() - 86_400_000) })
    expect(await debit(id, 1, `second:${id}`)).toMatchObject({ covered: true })
  })

  test('is never granted to an organization without a subscription', async () => {
    const { id } = await world.makeOrganization()
    expect(await debit(id, 1, `take:${id}`)).toEqual({ covered: false, available: 0 })
    await subscribe(world.db, id, { plan: 'pro' })
    expect(await debit(id, 300_000_000, `take:${id}`)).toEqual({ covered: true, first: true })
  })

  test('of an organization with a subscription does not apply to its members', async () => {
    const member = await makeAccountWith(0)
    const { id } = await world.makeOrganization({ members: [member] })
    await subscribe(world.db, id, { plan: 'pro' })
    expect(await debit(member, 1, `take:${member}`)).toMatchObject({ covered: false })
    expect(await readPlans(world.db, member, plans())).toEqual({
      kind: 'person',
      own: 'free',
      limits: 'pro',
      allotment: 3_330_000,
    })
  })
})

describe('the plan of an account', () => {
  const soon = new Date(Date.now() + 86_400_000)

  test.each([
    [{ plan: 'starter' }, 'starter'],
    [{ plan: 'pro', status: 'trialing' }, 'pro'],
    [{ plan: 'pro', status: 'trialing', cancelAt: soon }, 'free'],
    [{ plan: 'pro', status: 'active', cancelAt: soon }, 'pro'],
    [{ plan: 'pro', status: 'past_due' }, 'free'],
    [{ plan: 'pro', status: 'canceled' }, 'free'],
  ] as const)('with the subscription %j is %s', async (subscription, plan) => {
    const id = await makeAccountWith(0)
    await subscribe(world.db, id, subscription)
    expect(await readPlan(id)).toBe(plan)
  })

  test('is pro with an address at an enterprise domain, but not at a domain with the same ending', async () => {
    expect(await readPlan((await world.makeAccount({ email: emailAt('label.example') })).id)).toBe('pro')
    expect(await readPlan((await world.makeAccount({ email: emailAt('evil-label.example') })).id)).toBe('free')
    expect(await readPlan((await world.makeAccount({ email: emailAt('sub.label.example') })).id)).toBe('free')
  })

  test('is not affected by invitations to an organization', async () => {
    const { id: person } = await world.makeAccount()
    const { id } = await world.makeOrganization()
    await subscribe(world.db, id, { plan: 'pro' })
    await world.db`
      insert into account_organization_ids (account_id, organization_id, state) values (${person}, ${id}, 'invited')`
    expect((await readPlans(world.db, person, plans())).limits).toBe('free')
    expect((await readPlans(world.db, id, plans())).allotment).toBe(300_000_000)
  })
})
