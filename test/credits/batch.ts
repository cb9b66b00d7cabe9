import type { Pool } from '../../db/postgres/client.ts'
import { refillRules } from '../../db/credits/ledger.ts'
import type { PlanRules } from '../../domain/credits/plans.ts'
import { kinds, lifetimeMs, type Operation } from './operations.ts'

const usage = JSON.stringify({ source: 'api', model_id: 'simulation' })

/** Formats a Postgres array of values that need no quotes. */
const toSqlArray = (batch: readonly Operation[], select: (operation: Operation) => string | number): string =>
  `{${batch.map(select).join(',')}}`

/** Executes a batch in order in one statement, with the functions that the product calls one at a time. */
export const runBatch = async (db: Pool, batch: readonly Operation[], plans: PlanRules): Promise<string[]> => {
  const rules = refillRules(plans)
  const [row] = await db<{ results: string }[]>`
    select string_agg(coalesce(case op.kind
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
    end, ''), E'\n') as results
    from (
      select kind, account, amount, ref, timestamptz 'epoch' + at * interval '1 millisecond' as at
      from unnest(${toSqlArray(batch, ({ kind }) => kinds[kind])}::int[], ${toSqlArray(batch, ({ work }) => work.account.id)}::uuid[],
        ${toSqlArray(batch, ({ amount }) => amount)}::bigint[], ${toSqlArray(batch, ({ work }) => work.reference || '-')}::text[],
        ${toSqlArray(batch, ({ at }) => at)}::bigint[]) as given (kind, account, amount, ref, at)
    ) op`
  return row?.results.split('\n') ?? []
}

/** Returns the balances of all accounts in the order of their ids. */
export const readBalances = async (db: Pool): Promise<string> => {
  const [row] = await db<{ balances: string }[]>`
    select string_agg(remaining_credits::text, ',' order by account_id) as balances from credit_balances`
  return row?.balances ?? ''
}
