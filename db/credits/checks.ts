import type { Db } from '../postgres/client.ts'

/** An account whose balance differs from the sum of its ledger. */
type Difference = { accountId: string; balance: number; ledger: number }

/**
 * Claims today's check and returns its day; undefined when another process has claimed it. A check that is unfinished after
 * an hour is claimed again.
 */
export async function claimDailyCheck(db: Db): Promise<string | undefined> {
  const [claimed] = await db<{ day: string }[]>`
    insert into ledger_checks as checks (day) values ((now() at time zone 'UTC')::date)
    on conflict (day) do update set started_at = now()
    where checks.finished_at is null and checks.started_at < now() - interval '1 hour'
    returning day::text`
  return claimed?.day
}

export async function finishDailyCheck(db: Db, day: string, differences: number): Promise<void> {
  await db`update ledger_checks set finished_at = now(), differences = ${differences} where day = ${day}::text::date`
}

type BalanceComparison = Difference & { differs: boolean }

/**
 * Compares the accounts after `after`, in order of their ids. A statement reads one snapshot, and balance and ledger are
 * equal at every commit, so any difference is an error.
 */
export function compareBalances(db: Db, after: string | null, limit: number): Promise<BalanceComparison[]> {
  return db<BalanceComparison[]>`
    select id as account_id, balance, ledger, balance <> ledger as differs from (
      select accounts.id, coalesce(balances.remaining_credits, 0) as balance, coalesce((
        select sum(amount) from credit_ledger where credit_ledger.account_id = accounts.id), 0)::bigint as ledger
      from accounts left join credit_balances balances on balances.account_id = accounts.id
      where ${after}::uuid is null or accounts.id > ${after}::uuid order by accounts.id limit ${limit}
    ) compared`
}

/** Returns the result of the last finished check; undefined if no check has finished. */
export async function findLastCheck(db: Db): Promise<{ differences: number; finishedAt: Date } | undefined> {
  const [row] = await db<{ differences: number; finishedAt: Date }[]>`
    select differences, finished_at from ledger_checks
    where finished_at is not null order by day desc limit 1`
  return row
}
