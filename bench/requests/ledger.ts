import { randomUUID } from 'node:crypto'
import { ensurePerson } from '../../db/accounts/people.ts'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { creditAccount, refillRules } from '../../db/credits/ledger.ts'
import { compare, median, measureRatio, type Bench, type Row } from '../measure.ts'
import type { Stack } from '../stack/stack.ts'

const connections = 16
const credits = 1_000_000_000_000
const usage = JSON.stringify({ source: 'api', model_id: 'POST /api/bench' })

/** Controls: updates only a balance, or writes the three rows of a debit without a prior read. */
const controls = {
  update: async (db: Pool, accountId: string): Promise<void> => {
    const { count } = await db`
      update bench_balances set remaining_credits = remaining_credits - 7, updated_at = now()
      where account_id = ${accountId} and remaining_credits >= 7`
    if (count !== 1) throw new Error('a balance was not updated')
  },
  rows: async (db: Pool, accountId: string): Promise<void> => {
    const { count } = await db`
      with balance as (
        update bench_balances set remaining_credits = remaining_credits - 7, updated_at = now()
        where account_id = ${accountId} and remaining_credits >= 7 returning account_id, remaining_credits
      ), entry as (
        insert into bench_ledger (account_id, reference, kind, amount, balance_after)
        select account_id, ${`bench:${randomUUID()}`}, 'charge', -7, remaining_credits from balance
        returning reference, account_id
      )
      insert into bench_usage (reference, account_id, source, model_id, credits)
      select reference, account_id, 'api', 'POST /api/bench', 7 from entry`
    if (count !== 1) throw new Error('the rows were not written')
  },
}

const bases = {
  update: {
    text: 'one guarded UPDATE of only the balance',
    aim: { atLeast: 0.8 },
  },
  rows: { text: 'one statement that writes the same three rows, with the same indexes and without the function' },
}

type Case = { count: number; name: string; quick: boolean; control: keyof typeof controls }

export const ledger: Bench = {
  name: 'ledger',
  run: async (stack, { quick }) => [
    await measure(stack, { count: 1, name: 'debits on one account', quick, control: 'update' }),
    await measure(stack, { count: 1, name: 'debits on one account: relative to bare rows', quick, control: 'rows' }),
    await measure(stack, { count: 10_000, name: 'debits on 10,000 accounts', quick, control: 'update' }),
    await measure(stack, {
      count: 10_000,
      name: 'debits on 10,000 accounts: relative to bare rows',
      quick,
      control: 'rows',
    }),
  ],
}

async function measure({ databaseUrl, config }: Stack, { count, name, quick, control }: Case): Promise<Row> {
  const db = connect({ url: databaseUrl, max: connections, name: 'bench ledger' })
  try {
    const ids = await createAccounts(db, count)
    await copyTables(db)
    const rules = refillRules(config.plans)
    const milliseconds = quick ? 1000 : 3000
    let next = 0
    const account = (): string => ids[next++ % ids.length] ?? ''
    const rates = await compare({
      rounds: quick ? 3 : 11,
      warmUp: 2,
      ours: () =>
        rate(milliseconds, async () => {
          const [row] = await db<{ outcome: string }[]>`
            select outcome from debit_if_covered(${account()}, 7, ${`bench:${randomUUID()}`}, ${usage}::text::jsonb,
              ${rules}::text::jsonb)`
          if (row?.outcome !== 'booked') throw new Error(`the outcome of a debit was ${row?.outcome}`)
        }),
      control: () => rate(milliseconds, () => controls[control](db, account())),
    })
    await requireInvariants(db)
    const { text, ...aim } = bases[control]
    return {
      name,
      ...measureRatio(rates),
      unit: 'x',
      ...aim,
      how: `guarded debits per second, each in its own transaction with ledger row, usage row and balance, on ${connections} connections; relative to ${text}. Afterwards every balance is the sum of its ledger`,
      detail: `${Math.round(median(rates.ours))}/s, bare ${Math.round(median(rates.control))}/s`,
    }
  } finally {
    await db.end({ timeout: 5 })
  }
}

async function createAccounts(db: Pool, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let created = 0; created < count; created += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count - created) }, async () => {
        const { accountId } = await ensurePerson(db, `${randomUUID()}@example.com`, 0)
        const credit = { accountId, amount: credits, reference: `topup:${accountId}`, kind: 'topup' } as const
        await db.begin((tx) => creditAccount(tx, credit))
        ids.push(accountId)
      }),
    )
  return ids
}

/** Creates the tables of the controls and copies the balances into them. */
async function copyTables(db: Pool): Promise<void> {
  await db`create table if not exists bench_balances (like credit_balances including all)`
  await db`create table if not exists bench_ledger (like credit_ledger including all)`
  await db`create table if not exists bench_usage (like usage_events including all)`
  await db`
    insert into bench_balances (account_id, remaining_credits)
    select account_id, remaining_credits from credit_balances on conflict do nothing`
}

/** Returns the debits per second of `connections` connections that each debit repeatedly for this time. */
async function rate(milliseconds: number, debit: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  let count = 0
  const debitInLoop = async (): Promise<void> => {
    while (performance.now() - begin < milliseconds) {
      await debit()
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, debitInLoop))
  return (count * 1000) / (performance.now() - begin)
}

async function requireInvariants(db: Pool): Promise<void> {
  const [errors] = await db<{ differences: number; unmatched: number }[]>`
    select (select count(*)::int from credit_balances balances where remaining_credits <> coalesce((
        select sum(amount) from credit_ledger where credit_ledger.account_id = balances.account_id), 0)
      ) as differences,
      (select count(*) from credit_ledger where kind = 'charge')::int - (select count(*) from usage_events)::int
        as unmatched`
  if (errors?.differences !== 0 || errors.unmatched !== 0)
    throw new Error(`the ledger is inconsistent: ${JSON.stringify(errors)}`)
}
