import type { AccountKind } from '../../domain/accounts/accounts.ts'
import type { Plan, PlanRules } from '../../domain/credits/plans.ts'
import type { Db } from '../postgres/client.ts'
import { refillRules } from './ledger.ts'

/** Plans of an account. `own`: the account's plan. `limits`: the best plan of the account and its organizations. */
export type AccountPlans = {
  own: Plan
  limits: Plan
  /** Credits up to which the balance refills each period. */
  allotment: number
  kind: AccountKind
}

/** Returns the plans of an account, from its current subscriptions, memberships and addresses. */
export async function readPlans(db: Db, accountId: string, plans: PlanRules): Promise<AccountPlans> {
  const [row] = await db<AccountPlans[]>`
    select plans.kind, plans.own, plans.limits, refill.allotment
    from plans_of(${accountId}, ${[...plans.enterpriseDomains]}::text[]) plans,
      refill_of(${accountId}, ${refillRules(plans)}::text::jsonb, now()) refill`
  if (row === undefined) throw new Error(`account ${accountId} does not exist`)
  return row
}
