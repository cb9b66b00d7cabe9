import type { Db } from '../client.ts'

type TrialOffer = { providerKey: string; openedAt: Date }

type Asked = {
  accountId: string
  plan: string
  /** Hash of what the checkout is asked for. */
  asked: string
  providerKey: string
}

// A checkout is open for a day.
const life = '24 hours 1 minute'

/**
 * The one checkout of an account that carries the trial: a new one, or the open one when that was asked for alike, which
 * its provider key opens again. Undefined when another checkout carries it.
 */
export const claimTrial = async (
  db: Db,
  { accountId, plan, asked, providerKey }: Asked,
): Promise<TrialOffer | undefined> => {
  const [claimed] = await db<TrialOffer[]>`
    insert into trial_offers as offer (account_id, plan, asked, provider_key)
    values (${accountId}, ${plan}, ${asked}, ${providerKey})
    on conflict (account_id, plan) do update
      set asked = excluded.asked, provider_key = excluded.provider_key, opened_at = excluded.opened_at
      where offer.opened_at <= now() - ${life}::text::interval
    returning provider_key as "providerKey", opened_at as "openedAt"`
  if (claimed !== undefined) return claimed
  const [open] = await db<TrialOffer[]>`
    select provider_key as "providerKey", opened_at as "openedAt" from trial_offers
    where account_id = ${accountId} and plan = ${plan} and asked = ${asked}`
  return open
}
