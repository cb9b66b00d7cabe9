import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../db/client.ts'
import type { Pool } from '../../db/client.ts'
import { deleteExpiredHolds, refillRules } from '../../db/ledger.ts'
import { planTable } from '../../domain/plans.ts'
import { createWorld } from '../world.ts'
import type { World } from '../world.ts'
import { createModel } from './model.ts'
import type { Model, ModelAccount } from './model.ts'
import { answerOf, createOperations, kinds, lifetimeMs } from './operations.ts'
import type { Operation } from './operations.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'

// A million take minutes of a processor.
const operations = Number(process.env['LEDGER_OPERATIONS'] ?? 100_000)
const batch = 2500
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
  // Nothing here outlives the test, or names an account that is not there: no log for the disk, no look at other tables.
  for (const table of ['usage_events', 'credit_ledger', 'credit_holds', 'credit_balances'])
    await db.unsafe(`alter table ${table} set unlogged`)
  await db`set session_replication_role = replica`
})
afterAll(async () => {
  await db.end()
  await world.close()
})

const uuidFrom = (random: Random): string =>
  '00000000-0000-4000-8000-000000000000'.replaceAll('0', () => random.below(16).toString(16))

const makeAccounts = async (random: Random, count: number): Promise<ModelAccount[]> => {
  const accounts = Array.from({ length: count }, (): ModelAccount => {
    const kind = random.chance(0.1) ? 'organization' : 'person'
    const enterprise = kind === 'person' && random.chance(0.05)
    const refilledAt = kind === 'person' ? start : null
    return {
      id: uuidFrom(random),
      kind,
      enterprise,
      balance: 0,
      refilledAt,
      refillAllotment: null,
      subscription: undefined,
    }
  })
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

/** All of a batch in one statement, in order, by the same functions that are called one by one elsewhere. */
const runBatch = async (batch: readonly Operation[]): Promise<string[]> => {
  const usage = JSON.stringify({ source: 'api', model_id: 'simulation' })
  const rules = refillRules(plans)
  const rows = await db<{ answer: string }[]>`
    select case op.kind
      when 0 then credit_account(op.account, op.amount, op.ref, 'topup', null, null, op.at)::text
      when 1 then debit_account(op.account, op.amount, op.ref, ${usage}::text::jsonb, op.at)::text
      when 2 then debit_if_covered(
        op.account, op.amount, op.ref, ${usage}::text::jsonb, ${rules}::text::jsonb, op.at)::text
      when 3 then hold_credits(op.account, op.amount, op.ref,
        make_interval(secs => ${lifetimeMs / 1000}::float8), ${rules}::text::jsonb, op.at)::text
      when 4 then settle_hold(op.account, op.amount, op.ref, ${usage}::text::jsonb, op.at)::text
      when 5 then release_hold(op.account, op.ref)::text
      when 6 then refund_debit(op.account, op.ref, null, op.at)::text
      when 7 then pass_gate(op.account, op.amount, ${rules}::text::jsonb, op.at)::text
    end as answer
    from (
      select kind, account, amount, ref, timestamptz 'epoch' + at * interval '1 millisecond' as at
      from unnest(${batch.map(({ kind }) => kinds[kind])}::int[], ${batch.map(({ account }) => account.id)}::uuid[],
        ${batch.map(({ amount }) => amount)}::bigint[], ${batch.map(({ reference }) => reference)}::text[],
        ${batch.map(({ at }) => at)}::bigint[]) as given (kind, account, amount, ref, at)
    ) op`
  return rows.map(({ answer }) => answer)
}

const time = (ms: number): string => new Date(ms).toISOString()

/** Somebody subscribes, pays for a new period, falls behind, cancels. */
const changePlans = async (random: Random, accounts: readonly ModelAccount[], now: number): Promise<void> => {
  const changed = new Set(Array.from({ length: 40 }, () => random.oneOf(accounts)))
  for (const account of changed)
    account.subscription = {
      plan: random.oneOf(['starter', 'pro']),
      status: random.oneOf(['active', 'active', 'trialing', 'past_due', 'canceled']),
      cancelling: random.chance(0.3),
      periodStart: now - random.below(20 * 86_400_000),
    }
  const rows = [...changed].flatMap(({ id, subscription }) => (subscription ? [{ id, ...subscription }] : []))
  await db`
    insert into subscriptions (subscription_id, account_id, customer_id, price_id, plan, status, period_start, cancel_at)
    select id::text, id, id::text, plan, plan, status, period_start::timestamptz, nullif(cancel_at, '')::timestamptz
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ plan }) => plan)}::text[],
      ${rows.map(({ status }) => status)}::text[], ${rows.map(({ periodStart }) => time(periodStart))}::text[],
      ${rows.map(({ cancelling }) => (cancelling ? time(now) : ''))}::text[]
    ) as given (id, plan, status, period_start, cancel_at)
    on conflict (subscription_id) do update set plan = excluded.plan, status = excluded.status,
      period_start = excluded.period_start, cancel_at = excluded.cancel_at`
}

/** A known reference is known whatever else is answered with it. */
const inWords = (answer: string): string => (answer.startsWith('(known,') ? 'known' : answer)

const expectEqualAnswers = (made: readonly Operation[], expected: string[], answers: string[]): void => {
  const place = expected.findIndex((answer, at) => answer !== inWords(answers[at] ?? ''))
  if (place < 0) return
  const { kind, amount, reference } = made[place]!
  expect(`${kind} ${amount} ${reference}: ${answers[place]}`).toBe(`${kind} ${amount} ${reference}: ${expected[place]}`)
}

const expectTheSameMoney = async (model: Model, accounts: readonly ModelAccount[]): Promise<void> => {
  const entries = [...model.ledger.values()]
  const total = (kind: string): number =>
    entries.reduce((sum, entry) => sum + (entry.kind === kind ? entry.amount : 0), 0)
  const byKind = await db<{ kind: string; rows: number; amount: number }[]>`
    select kind, count(*)::int as rows, sum(amount)::bigint as amount from credit_ledger group by kind order by kind`
  expect(byKind).toEqual(
    ['charge', 'refill', 'refund', 'topup'].map((kind) => ({
      kind,
      rows: entries.filter((entry) => entry.kind === kind).length,
      amount: total(kind),
    })),
  )
  const balances = await db<{ id: string; balance: number }[]>`
    select account_id as id, remaining_credits as balance from credit_balances`
  expect(new Map(balances.map(({ id, balance }) => [id, balance]))).toEqual(
    new Map(accounts.map(({ id, balance }) => [id, balance])),
  )
  const [faults] = await db`
    with rows as (
      select account_id, reference, amount, balance_after,
        sum(amount) over (partition by account_id order by id) as running from credit_ledger
    )
    select (select count(*)::int from rows where balance_after <> running) as "breaks",
      (select count(*)::int from rows where reference like 'debitIfCovered:%' and balance_after < 0) as "overdrawn",
      (select count(*) - count(distinct reference) from credit_ledger)::int as "repeated",
      (select count(*)::int from credit_balances where remaining_credits <>
        coalesce((select sum(amount) from credit_ledger where account_id = credit_balances.account_id), 0)
      ) as "differences",
      (select sum(credits) from usage_events)::bigint + (
        select sum(amount) from credit_ledger where kind in ('charge', 'refund'))::bigint as "unexplained",
      (select count(*) from usage_events)::int - (
        select count(*) from credit_ledger where kind in ('charge', 'refund'))::int as "unmatched"`
  expect(faults).toEqual({ breaks: 0, overdrawn: 0, repeated: 0, differences: 0, unexplained: 0, unmatched: 0 })
}

test(`${operations} operations leave what a model in memory says`, { timeout: 900_000 }, async () => {
  console.log(`LEDGER_SEED=${seed}`)
  const random = createRandom(seed)
  const accounts = await makeAccounts(random, 5000)
  const model = createModel(allotments)
  const next = createOperations(random, accounts)
  let now = start
  for (let done = 0; done < operations; done += batch) {
    await changePlans(random, accounts, now)
    const made = Array.from({ length: batch }, () => next((now += 1 + random.below(20_000))))
    const answering = runBatch(made)
    const expected = made.map((operation) => answerOf(model, operation))
    expectEqualAnswers(made, expected, await answering)
    // Plans that were made for empty tables are made again: what the server does by itself after a while.
    if (done === 4 * batch) await db`analyze`
    if (random.chance(0.1)) {
      model.sweep(now)
      await db`delete from credit_holds where expires_at <= ${new Date(now).toISOString()}::timestamptz`
    }
  }
  expect(new Set([...model.ledger.values()].map(({ kind }) => kind)).size).toBe(4)
  await expectTheSameMoney(model, accounts)
  const held = await db`select reference from credit_holds`
  expect(held).toHaveLength(model.holds.size)
  expect(await deleteExpiredHolds(db)).toBe(0)
})
