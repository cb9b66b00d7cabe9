import type { Pool } from '../../db/postgres/client.ts'

type Subscription = { plan: 'starter' | 'pro'; status?: string; periodStart?: Date; cancelAt?: Date }

/** Stores the only subscription of an account, as an event of the payment provider does. */
export const subscribe = async (
  db: Pool,
  accountId: string,
  { plan, status = 'active', periodStart = new Date(), cancelAt }: Subscription,
): Promise<void> => {
  await db`
    insert into subscriptions (subscription_id, account_id, customer_id, price_id, plan, status, period_start, cancel_at)
    values (${`sub_${accountId}`}, ${accountId}, 'cus_test', ${plan}, ${plan}, ${status}, ${periodStart}, ${cancelAt ?? null})
    on conflict (subscription_id) do update set plan = excluded.plan, status = excluded.status,
      period_start = excluded.period_start, cancel_at = excluded.cancel_at`
}
