import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Pool, type Tx } from '../../db/postgres/client.ts'
import {
  coverCredits,
  creditAccount,
  debitAccount,
  debitIfCovered,
  deleteExpiredHolds,
  holdCredits,
  refundDebit,
  releaseHold,
  settleHold,
} from '../../db/credits/ledger.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
let parallel: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false })
  parallel = connect({ url: world.databaseUrl, max: 12, name: 'test ledger' })
})
afterAll(async () => {
  await parallel.end()
  await world.close()
})

const usage = { source: 'api', modelId: 'POST /api/example' } as const
const lifetimeMs = 60_000
const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => parallel.begin(work) as Promise<T>
const makeAccountWith = async (credits: number): Promise<string> => (await world.makeAccount({ credits })).id
const plans = () => world.config.plans

const hold = (accountId: string, amount: number, reference: string) =>
  inTx((tx) => holdCredits(tx, { accountId, amount, reference, lifetimeMs, plans: plans() }))
const settle = (accountId: string, amount: number, reference: string) =>
  inTx((tx) => settleHold(tx, { accountId, amount, reference, usage }))
const debit = (accountId: string, amount: number, reference: string) =>
  inTx((tx) => debitIfCovered(tx, { accountId, amount, reference, usage, plans: plans() }))

const readMoney = async (accountId: string) => {
  const [row] = await world.db<{ balance: number; ledger: number; used: number; held: number }[]>`
    select remaining_credits as balance,
      (select sum(amount) from credit_ledger where account_id = ${accountId})::bigint as ledger,
      (select coalesce(sum(credits), 0) from usage_events where account_id = ${accountId})::bigint as used,
      live_holds(account_id, now()) as held
    from credit_balances where account_id = ${accountId}`
  expect(row?.ledger ?? 0).toBe(row?.balance ?? 0)
  return row
}
const expire = (reference: string) =>
  world.db`update credit_holds set expires_at = now() - interval '1 second' where reference = ${reference}`

describe('a hold', () => {
  test('reserves credits, and its settlement debits the cost of the work', async () => {
    const id = await makeAccountWith(1000)
    expect(await hold(id, 700, `work:${id}`)).toEqual({ covered: true, first: true })
    expect(await readMoney(id)).toMatchObject({ balance: 1000, held: 700 })
    expect(await debit(id, 301, `other:${id}`)).toEqual({ covered: false, available: 300 })
    expect(await settle(id, 500, `work:${id}`)).toBe(true)
    expect(await readMoney(id)).toMatchObject({ balance: 500, held: 0, used: 500 })
    expect(await settle(id, 500, `work:${id}`)).toBe(false)
    expect(await hold(id, 700, `work:${id}`)).toEqual({ covered: true, first: false })
    expect(await readMoney(id)).toMatchObject({ balance: 500, held: 0 })
  })

  test('is created once for a repeated request', async () => {
    const id = await makeAccountWith(1000)
    expect(await hold(id, 800, `work:${id}`)).toEqual({ covered: true, first: true })
    expect(await hold(id, 800, `work:${id}`)).toEqual({ covered: true, first: false })
    expect(await readMoney(id)).toMatchObject({ held: 800 })
  })

  test('can be released repeatedly', async () => {
    const id = await makeAccountWith(1000)
    await hold(id, 800, `work:${id}`)
    for (const _ of [1, 2]) await releaseHold(world.db, { accountId: id, reference: `work:${id}` })
    expect(await debit(id, 1000, `other:${id}`)).toEqual({ covered: true, first: true })
  })

  test('that expired reserves no credits and is swept, but can still be settled', async () => {
    const id = await makeAccountWith(1000)
    await hold(id, 900, `work:${id}`)
    await expire(`work:${id}`)
    expect(await debit(id, 600, `other:${id}`)).toEqual({ covered: true, first: true })
    await deleteExpiredHolds(world.db)
    expect(await world.db`select 1 from credit_holds where account_id = ${id}`).toHaveLength(0)
    expect(await settle(id, 900, `work:${id}`)).toBe(true)
    expect(await readMoney(id)).toMatchObject({ balance: -500 })
  })

  test('that expired can be requested again, and is then checked against the balance', async () => {
    const id = await makeAccountWith(1000)
    await hold(id, 900, `work:${id}`)
    await expire(`work:${id}`)
    expect(await hold(id, 900, `work:${id}`)).toEqual({ covered: true, first: true })
    expect(await readMoney(id)).toMatchObject({ held: 900 })
  })

  test('for work that costs nothing is settled without a ledger row', async () => {
    const id = await makeAccountWith(1000)
    await hold(id, 900, `work:${id}`)
    expect(await settle(id, 0, `work:${id}`)).toBe(false)
    expect(await readMoney(id)).toMatchObject({ balance: 1000, held: 0 })
  })

  test('remains if a settlement is rejected because it exceeds the reserved amount', async () => {
    const id = await makeAccountWith(1000)
    await hold(id, 100, `work:${id}`)
    await expect(settle(id, 101, `work:${id}`)).rejects.toThrow('cannot be settled')
    expect(await readMoney(id)).toMatchObject({ balance: 1000, held: 100 })
  })

  test('of one account cannot be settled by another account', async () => {
    const [id, other] = [await makeAccountWith(1000), await makeAccountWith(1000)]
    await hold(id, 100, `work:${id}`)
    await releaseHold(world.db, { accountId: other, reference: `work:${id}` })
    await expect(hold(other, 100, `work:${id}`)).rejects.toThrow('another account')
    expect(await readMoney(id)).toMatchObject({ held: 100 })
  })
})

describe('a debit', () => {
  test('can make the balance negative only if it skips the balance check', async () => {
    const id = await makeAccountWith(10)
    expect(await debit(id, 11, `gated:${id}`)).toEqual({ covered: false, available: 10 })
    expect(await inTx((tx) => debitAccount(tx, { accountId: id, amount: 11, reference: `turn:${id}`, usage }))).toBe(
      true,
    )
    expect(await readMoney(id)).toMatchObject({ balance: -1, used: 11 })
    expect(await coverCredits(world.db, { accountId: id, amount: 1, plans: plans() })).toEqual({
      covered: false,
      available: -1,
    })
  })

  test('whose reference was already booked succeeds regardless of the balance', async () => {
    const id = await makeAccountWith(10)
    expect(await debit(id, 10, `gated:${id}`)).toEqual({ covered: true, first: true })
    expect(await debit(id, 10, `gated:${id}`)).toEqual({ covered: true, first: false })
    expect(await readMoney(id)).toMatchObject({ balance: 0, used: 10 })
  })

  test('of zero credits succeeds and writes no row', async () => {
    const id = await makeAccountWith(0)
    expect(await debit(id, 0, `gated:${id}`)).toMatchObject({ covered: true })
    expect(await hold(id, 0, `held:${id}`)).toMatchObject({ covered: true })
    expect(await readMoney(id)).toMatchObject({ balance: 0, used: 0, held: 0 })
  })

  test('of a negative amount is rejected', async () => {
    const id = await makeAccountWith(10)
    await expect(debit(id, -1, `gated:${id}`)).rejects.toThrow('not allowed')
    await expect(
      inTx((tx) => debitAccount(tx, { accountId: id, amount: -5, reference: `turn:${id}`, usage })),
    ).rejects.toThrow('not allowed')
  })

  test('is refunded once, as negative usage', async () => {
    const id = await makeAccountWith(100)
    await debit(id, 60, `gated:${id}`)
    const refund = () => inTx((tx) => refundDebit(tx, { accountId: id, reference: `gated:${id}`, reason: 'no items' }))
    expect((await Promise.all([refund(), refund(), refund()])).sort()).toEqual([false, false, true])
    expect(await readMoney(id)).toMatchObject({ balance: 100, used: 0 })
    const rows = await world.db`
      select kind, credits, model_id as model, reason from credit_ledger join usage_events using (reference)
      where credit_ledger.account_id = ${id} order by id`
    expect(rows).toEqual([
      { kind: 'charge', credits: 60, model: usage.modelId, reason: null },
      { kind: 'refund', credits: -60, model: usage.modelId, reason: 'no items' },
    ])
    const nothing = { accountId: id, reference: `seed:${id}` }
    expect(await inTx((tx) => refundDebit(tx, nothing))).toBe(false)
  })

  test('creates the balance row of the account if it is missing', async () => {
    const { id } = await world.makeArtist()
    await inTx((tx) => debitAccount(tx, { accountId: id, amount: 5, reference: `turn:${id}`, usage }))
    expect(await readMoney(id)).toMatchObject({ balance: -5 })
  })
})

test('the ledger rejects updates and deletions of rows', async () => {
  await makeAccountWith(5)
  await expect(world.db`update credit_ledger set amount = 1`).rejects.toThrow('append-only')
  await expect(world.db`delete from credit_ledger`).rejects.toThrow('append-only')
})

describe('in parallel', () => {
  test('one reference is booked once', async () => {
    const id = await makeAccountWith(0)
    const credit = () =>
      inTx((tx) => creditAccount(tx, { accountId: id, amount: 70, reference: `topup:${id}`, kind: 'topup' }))
    const booked = await Promise.all(Array.from({ length: 50 }, credit))
    expect(booked.filter(Boolean)).toHaveLength(1)
    expect(await readMoney(id)).toMatchObject({ balance: 70 })
  })

  test('checks do not pass together if the credits do not cover all of them', async () => {
    const id = await makeAccountWith(1000)
    const gates = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? hold(id, 90, `hold:${id}:${n}`) : debit(id, 90, `take:${id}:${n}`),
      ),
    )
    expect(gates.filter(({ covered }) => covered)).toHaveLength(11)
    const row = await readMoney(id)
    expect((row?.balance ?? 0) - (row?.held ?? 0)).toBe(10)
  })

  test('holds, settlements, releases, refunds and repetitions on the same accounts are consistent', async () => {
    const ids = await Promise.all([5000, 5000, 5000].map(makeAccountWith))
    const work = async (n: number): Promise<void> => {
      const id = ids[n % 3]!
      const reference = `race:${id}:${n % 60}`
      const gate = n % 4 === 0 ? await debit(id, 37, reference) : await hold(id, 37, reference)
      if (!gate.covered || n % 4 === 0) return
      if (n % 4 === 1) await settle(id, 1 + (n % 37), reference)
      if (n % 4 === 2) await releaseHold(parallel, { accountId: id, reference })
      await inTx((tx) => refundDebit(tx, { accountId: id, reference }))
    }
    await Promise.all(Array.from({ length: 600 }, (_, n) => work(n)))
    for (const id of ids) {
      const row = await readMoney(id)
      expect((row?.balance ?? -1) - (row?.held ?? 0)).toBeGreaterThanOrEqual(0)
      expect(row?.used).toBe(5000 - (row?.balance ?? 0))
    }
  })

  test('a due refill is booked once', async () => {
    const id = await makeAccountWith(0)
    await world.db`update credit_balances set refilled_at = now() - interval '32 days' where account_id = ${id}`
    const gates = await Promise.all(Array.from({ length: 20 }, (_, n) => debit(id, 1_000_000, `take:${id}:${n}`)))
    expect(gates.filter(({ covered }) => covered)).toHaveLength(3)
    expect(await readMoney(id)).toMatchObject({ balance: 330_000 })
    expect(await world.db`select 1 from credit_ledger where account_id = ${id} and kind = 'refill'`).toHaveLength(1)
  })
})
