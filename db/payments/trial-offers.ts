import type { Db, Pool } from '../postgres/client.ts'

type TrialOffer = { providerKey: string; openedAt: Date }

type TrialRequest = {
  /** The future owner of the subscription and its buyer. */
  accountIds: readonly string[]
  plan: string
  /** Hash of the checkout request. */
  requestHash: string
  providerKey: string
}

// A checkout is open for one day.
const checkoutLifetime = '24 hours 1 minute'

/**
 * Claims the trial of these accounts for one checkout. Returns a new offer, or the open offer of an equal request. The
 * provider key of an open offer returns the same checkout again. Undefined when another open checkout has claimed the trial
 * of one of the accounts.
 */
export function claimTrial(
  db: Pool,
  { accountIds, plan, requestHash, providerKey }: TrialRequest,
): Promise<TrialOffer | undefined> {
  return db.begin(async (tx) => {
    const ids = [...new Set(accountIds)].toSorted()
    await tx`select 1 from accounts where id = any(${ids}::uuid[]) order by id for no key update`
    const openOffers = await tx<(TrialOffer & { requestHash: string })[]>`
      select request_hash, provider_key, opened_at from trial_offers
      where account_id = any(${ids}::uuid[]) and plan = ${plan} and opened_at > now() - ${checkoutLifetime}::text::interval`
    if (openOffers.length > 0)
      return openOffers.length === ids.length && openOffers.every((offer) => offer.requestHash === requestHash)
        ? openOffers[0]
        : undefined
    const [offer] = await tx<TrialOffer[]>`
      insert into trial_offers (account_id, plan, request_hash, provider_key)
      select id, ${plan}, ${requestHash}, ${providerKey} from unnest(${ids}::uuid[]) as id
      on conflict (account_id, plan) do update
        set request_hash = excluded.request_hash, provider_key = excluded.provider_key, opened_at = excluded.opened_at
      returning provider_key, opened_at`
    return offer
  })
}

/** Returns whether one of the accounts, or one of their email addresses, has had the plan or its trial. */
export async function hasHadTrial(db: Db, plan: string, accountIds: readonly string[]): Promise<boolean> {
  const [row] = await db`
    select 1 from trial_holders
    where plan = ${plan} and holder in (
      select unnest(holders_of(id)) from unnest(${[...accountIds]}::uuid[]) as id
    ) limit 1`
  return row !== undefined
}
