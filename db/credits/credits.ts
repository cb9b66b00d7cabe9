import type { Plan, PlanRules } from '../../domain/credits/plans.ts'
import type { Db } from '../postgres/client.ts'
import { coverCredits, refillRules, type CreditCheckResult } from './ledger.ts'

/** Balance of an account, in credits. */
export type Credits = {
  plan: Plan
  allotment: number
  /** Balance of the ledger; null without a balance row. */
  balance: number | null
  /** Amount of a due refill. */
  refill: number
  /** Sum of the live holds. */
  reserved: number
  refilledAt: Date | null
}

/** Returns the balance without writing, even when a refill is due. */
export async function readCredits(db: Db, accountId: string, plans: PlanRules): Promise<Credits> {
  const [row] = await db<Credits[]>`
    select refill.plan, refill.allotment, refill.missing as refill, balance.remaining_credits as balance,
      live_holds(account.id, now()) as reserved, balance.refilled_at
    from accounts account
    cross join lateral refill_of(account.id, ${refillRules(plans)}::text::jsonb, now()) refill
    left join credit_balances balance on balance.account_id = account.id
    where account.id = ${accountId}`
  if (row === undefined) throw new Error(`account ${accountId} does not exist`)
  return row
}

/** Checks the credits for a turn. Any amount above zero is enough, because a turn is charged when it ends. */
export async function coverTurn(
  db: Db,
  { accountId, plans }: { accountId: string; plans: PlanRules },
): Promise<CreditCheckResult> {
  return (await readAvailable(db, accountId)) > 0
    ? { covered: true, first: true }
    : coverCredits(db, { accountId, amount: 1, plans })
}

/** Returns the balance minus live holds, without a due refill. */
async function readAvailable(db: Db, accountId: string): Promise<number> {
  const [row] = await db<{ available: number }[]>`
    select remaining_credits - live_holds(account_id, now()) as available
    from credit_balances where account_id = ${accountId}`
  return row?.available ?? 0
}
