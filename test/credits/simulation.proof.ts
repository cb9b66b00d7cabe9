import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { deleteExpiredHolds } from '../../db/credits/ledger.ts'
import { planTable } from '../../domain/credits/plans.ts'
import { createRandom, type Random } from '../world/random.ts'
import { scaled } from '../cost/scale.ts'
import { createWorld, type World } from '../world/world.ts'
import { readBalances, runBatch } from './batch.ts'
import { createModel, type Model, type ModelAccount } from './model.ts'
import { computeResult, createOperations, type Operation } from './operations.ts'

const fullOperations = 300_000
const operations = scaled(75_000, fullOperations)
const batches = 60
const batch = Math.ceil(operations / batches)
/** Maximum time between two operations. Any number of operations covers the same months. */
const maxStepMs = Math.ceil((20_000 * fullOperations) / operations)
const start = Date.UTC(2031, 0, 29, 12)
const enterpriseDomain = 'enterprise.example'
const plans = { table: planTable(), enterpriseDomains: [enterpriseDomain] }
const { free, starter, pro } = plans.table
const allotments = { free: free.allotment, starter: starter.allotment, pro: pro.allotment }
const seed = Number(process.env['LEDGER_SEED'] ?? randomInt(2 ** 32 - 1))

let world: World
let db: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false })
  db = connect({ url: world.databaseUrl, max: 1, name: 'test simulation', statementTimeoutMs: 120_000 })
  // Durability, foreign keys and unused indexes are disabled for speed: no data outlives the test or refers to a missing
  // account.
  for (const table of ['usage_events', 'credit_ledger', 'credit_holds', 'credit_balances'])
    await db.unsafe(`alter table ${table} set unlogged`)
  await db`drop index usage_events_account, usage_events_cost, credit_ledger_account`
  await db`alter table credit_ledger drop constraint credit_ledger_pkey`
  await db`set session_replication_role = replica`
})
afterAll(async () => {
  await db.end()
  await world.close()
})

const createUuid = (random: Random): string =>
  '00000000-0000-4000-8000-000000000000'.replaceAll('0', () => random.between(0, 15).toString(16))

const makeAccounts = async (random: Random, count: number): Promise<ModelAccount[]> => {
  const accounts = Array.from({ length: count }, (): ModelAccount => {
    const kind = random.chance(0.1) ? 'organization' : 'person'
    const enterprise = kind === 'person' && random.chance(0.05)
    const refilledAt = kind === 'person' ? start : null
    return {
      id: createUuid(random),
      kind,
      enterprise,
      balance: 0,
      refilledAt,
      refillAllotment: null,
      refilledUntil: null,
      subscription: undefined,
      held: new Set(),
    }
  }).sort((a, b) => (a.id < b.id ? -1 : 1))
  const ids = accounts.map(({ id }) => id)
  const enterprise = accounts.filter((account) => account.enterprise).map(({ id }) => id)
  await db`
    insert into accounts (id, kind) select * from unnest(${ids}::uuid[], ${accounts.map(({ kind }) => kind)}::text[])`
  await db`
    insert into credit_balances (account_id, refilled_at)
    select id, case when kind = 'person' then ${new Date(start).toISOString()}::timestamptz end from accounts`
  await db`
    insert into account_emails (account_id, email)
    select id, id || ${`@${enterpriseDomain}`} from unnest(${enterprise}::uuid[]) as enterprise (id)`
  return accounts
}

const time = (ms: number): string => new Date(ms).toISOString()

/** Changes the subscriptions of random accounts: their plan, status, period and cancellation. */
const changePlans = async (random: Random, accounts: readonly ModelAccount[], now: number): Promise<void> => {
  const changed = new Set(Array.from({ length: 80 }, () => random.pick(accounts)))
  for (const account of changed)
    account.subscription = {
      plan: random.pick(['starter', 'pro']),
      status: random.pick(['active', 'active', 'trialing', 'past_due', 'canceled']),
      cancelling: random.chance(0.3),
      periodStart: now - random.between(0, 20 * 86_400_000 - 1),
    }
  const rows = [...changed].flatMap(({ id, subscription }) => (subscription ? [{ id, ...subscription }] : []))
  await db`
    insert into subscriptions (subscription_id, account_id, customer_id, price_id, plan, status, period_start, cancel_at,
      trial_counts)
    select id::text, id, id::text, plan, plan, status, period_start::timestamptz, nullif(cancel_at, '')::timestamptz, true
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ plan }) => plan)}::text[],
      ${rows.map(({ status }) => status)}::text[], ${rows.map(({ periodStart }) => time(periodStart))}::text[],
      ${rows.map(({ cancelling }) => (cancelling ? time(now) : ''))}::text[]
    ) as given (id, plan, status, period_start, cancel_at)
    on conflict (subscription_id) do update set plan = excluded.plan, status = excluded.status,
      period_start = excluded.period_start, cancel_at = excluded.cancel_at`
}

const sweep = async (model: Model, now: number): Promise<void> => {
  model.sweep(now)
  await db`delete from credit_holds where expires_at <= ${time(now)}::timestamptz`
}

/** Reduces the result for a known reference to `known`. */
const normalizeResult = (result: string | undefined): string | undefined =>
  result?.startsWith('(known,') ? 'known' : result

const expectEqualResults = (executed: readonly Operation[], expected: string[], results: string[]): void => {
  expect(results).toHaveLength(expected.length)
  const index = expected.findIndex((result, at) => result !== normalizeResult(results[at]))
  if (index < 0) return
  const { kind, amount, work } = executed[index]!
  const name = `${kind} ${amount} ${work.reference}`
  expect(`${name}: ${results[index]}`).toBe(`${name}: ${expected[index]}`)
}

/** Compares the balances of all accounts, which are in the order of their ids. */
const expectEqualBalances = (accounts: readonly ModelAccount[], balances: string): void => {
  if (balances === accounts.map(({ balance }) => balance).join(',')) return
  expect(balances.split(',').map((balance, index) => `${accounts[index]?.id}: ${balance}`)).toEqual(
    accounts.map(({ id, balance }) => `${id}: ${balance}`),
  )
}

const expectEqualLedger = async (model: Model): Promise<void> => {
  const byKind = await db<{ kind: string; rows: number; amount: number }[]>`
    select kind, count(*)::int as rows, sum(amount)::bigint as amount from credit_ledger group by kind order by kind`
  expect(byKind).toEqual(Object.entries(model.totals).map(([kind, total]) => ({ kind, ...total })))
  const [inconsistencies] = await db`
    with rows as (
      select account_id, reference, amount, balance_after,
        sum(amount) over (partition by account_id order by id) as running from credit_ledger
    )
    select (select count(*)::int from rows where balance_after <> running) as "breaks",
      (select count(*)::int from rows where reference like 'debitIfCovered:%' and balance_after < 0) as "overdrawn",
      (select count(*) - count(distinct reference) from credit_ledger)::int as "repeated",
      (select count(*)::int from credit_balances left join (
          select account_id, sum(amount) as total from credit_ledger group by account_id
        ) entries using (account_id) where remaining_credits <> coalesce(entries.total, 0)) as "differences",
      (select sum(credits) from usage_events)::bigint + (
        select sum(amount) from credit_ledger where kind in ('charge', 'refund'))::bigint as "unexplained",
      (select count(*) from usage_events join credit_ledger using (reference) where -amount = credits)::int - (
        select count(*) from credit_ledger where kind in ('charge', 'refund'))::int as "unmatched"`
  expect(inconsistencies).toEqual({
    breaks: 0,
    overdrawn: 0,
    repeated: 0,
    differences: 0,
    unexplained: 0,
    unmatched: 0,
  })
}

test(`${operations} operations produce the same state as an in-memory model`, { timeout: 600_000 }, async () => {
  console.log(`LEDGER_SEED=${seed}`)
  const random = createRandom(seed)
  const accounts = await makeAccounts(random, 5000)
  const model = createModel(allotments)
  const next = createOperations(random, accounts)
  let now = start
  // The first plans are made for an empty table and cached. Sequential scans would be slow as the table grows.
  await db`set enable_seqscan = off`
  for (let done = 0; done < operations; done += batch) {
    await changePlans(random, accounts, now)
    const batchOperations = Array.from({ length: batch }, () => next((now += random.between(1, maxStepMs))))
    const pendingResults = runBatch(db, batchOperations, plans)
    const expected = batchOperations.map((operation) => computeResult(model, operation))
    expectEqualResults(batchOperations, expected, await pendingResults)
    expectEqualBalances(accounts, await readBalances(db))
    if (random.chance(0.2)) await sweep(model, now)
  }
  await db`reset enable_seqscan`
  expect(Object.values(model.totals).every(({ rows }) => rows > 0)).toBe(true)
  await expectEqualLedger(model)
  const held = await db`select reference from credit_holds`
  expect(held).toHaveLength(model.held.size)
  expect(await deleteExpiredHolds(db)).toBe(0)
})
