import {
  decideClaim,
  type OwnedSubscription,
  type PaidPlan,
  type SubscriptionState,
} from '../../domain/payments/subscriptions.ts'
import { ensurePersonInTransaction } from '../accounts/people.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'
import { insertCustomer, moveCustomer } from './customers.ts'

/** A subscription as the provider returned it. `readAt`: database time at which the read started. */
export type FetchedSubscription = SubscriptionState & { plan: PaidPlan; readAt: Date }

/** Stores the current state. An earlier read never replaces a later read. The owner does not change. */
export async function saveSubscription(tx: Tx, subscription: FetchedSubscription): Promise<void> {
  const { subscriptionId, customerId, priceId, plan, status, amountCents, currency, interval } = subscription
  await tx`
    insert into subscriptions (subscription_id, customer_id, price_id, plan, status, amount_cents, currency, interval,
      period_start, period_end, cancel_at, read_at)
    values (${subscriptionId}, ${customerId}, ${priceId}, ${plan}, ${status}, ${amountCents}, ${currency}, ${interval},
      ${subscription.periodStart}, ${subscription.periodEnd}, ${subscription.cancelAt}, ${subscription.readAt})
    on conflict (subscription_id) do update set customer_id = excluded.customer_id, price_id = excluded.price_id,
      plan = excluded.plan, status = excluded.status, amount_cents = excluded.amount_cents,
      currency = excluded.currency, interval = excluded.interval, period_start = excluded.period_start,
      period_end = excluded.period_end, cancel_at = excluded.cancel_at, read_at = excluded.read_at
    where subscriptions.read_at <= excluded.read_at`
}

type LockedRow = { ownerId: string | null; createdBy: string | null; customerId: string; plan: PaidPlan }

/**
 * Records the people behind a subscription before it has an owner. Its trial counts only if none of them had a subscription
 * before.
 */
export async function addHolders(tx: Tx, subscriptionId: string, holders: readonly string[]): Promise<void> {
  await tx`
    update subscriptions set paid_by = array(select distinct unnest(paid_by || ${[...holders]}::text[]))
    where subscription_id = ${subscriptionId} and not paid_by @> ${[...holders]}::text[]`
}

/** Owner of a new subscription: the account of its checkout, or else the person with the email address of the payment. */
export type Buyer = { accountId: string } | { email: string; startCredits: number }

/**
 * Assigns a subscription without an owner to its buyer. An existing owner does not change. Returns the account if one was
 * created for an unknown email.
 */
export async function linkSubscription(
  tx: Tx,
  subscriptionId: string,
  buyer: Buyer,
): Promise<{ newAccountId?: string }> {
  const row = await lockSubscription(tx, subscriptionId)
  if (row === undefined || row.ownerId !== null) return {}
  if ('accountId' in buyer) {
    if (!(await isAccount(tx, buyer.accountId))) return {}
    await assignOwner(tx, subscriptionId, { accountId: buyer.accountId, createdBy: null, isMirrored: true })
    await insertCustomer(tx, buyer.accountId, row.customerId)
    return {}
  }
  const { accountId, isNew } = await ensurePersonInTransaction(tx, buyer.email, buyer.startCredits)
  await assignOwner(tx, subscriptionId, { accountId, createdBy: isNew ? 'webhook' : null, isMirrored: false })
  await insertCustomer(tx, accountId, row.customerId)
  return isNew ? { newAccountId: accountId } : {}
}

/**
 * Assigns a subscription to the claiming account if it has no owner, or its owner is an unused account that a webhook
 * created. Throws for a subscription without a row.
 */
export async function claimSubscription(
  tx: Tx,
  subscriptionId: string,
  callerId: string,
): Promise<{ claimed: boolean; plan: PaidPlan }> {
  const row = await lockSubscription(tx, subscriptionId)
  if (row === undefined) throw new Error('the claimed subscription has no row')
  const { ownerId, createdBy, customerId, plan } = row
  const isPlaceholder = createdBy === 'webhook' && ownerId !== null && (await isUnused(tx, ownerId))
  const decision = decideClaim({ ownerId, isPlaceholder }, callerId)
  if (decision === 'refuse') return { claimed: false, plan }
  await assignOwner(tx, subscriptionId, { accountId: callerId, createdBy: null, isMirrored: false })
  if (decision === 'take') await moveCustomer(tx, customerId, callerId)
  return { claimed: true, plan }
}

export async function hasSubscriptionRow(db: Db, subscriptionId: string): Promise<boolean> {
  const [row] = await db`select 1 from subscriptions where subscription_id = ${subscriptionId}`
  return row !== undefined
}

/** Returns the subscriptions of an account and of its organizations. */
export function listSubscriptions(db: Db, accountId: string): Promise<OwnedSubscription[]> {
  return db<OwnedSubscription[]>`
    select subscription_id, customer_id, price_id, plan, status, amount_cents, currency, interval, period_start,
      period_end, cancel_at, created_at, account_id = ${accountId} as is_own, trial_counts
    from subscriptions
    where account_id = ${accountId} or account_id in (
      select organization_id from account_organization_ids where account_id = ${accountId} and state = 'member'
    )`
}

export type UnmirroredOwner = { subscriptionId: string; customerId: string; accountId: string }

/** Returns the owner of the subscription if the provider does not store the owner yet. */
export async function findUnmirrored(db: Db, subscriptionId: string): Promise<UnmirroredOwner | undefined> {
  const [row] = await db<UnmirroredOwner[]>`
    select subscription_id, customer_id, account_id
    from subscriptions
    where subscription_id = ${subscriptionId} and account_id is not null
      and account_id is distinct from mirrored_account_id`
  return row
}

/** Returns subscriptions whose owner is due to be stored at the provider and that have not changed for 5 seconds. */
export function listUnmirrored(db: Db, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select subscription_id as id from subscriptions
    where account_id is not null and account_id is distinct from mirrored_account_id
      and updated_at <= now() - interval '5 seconds' and (mirror_after is null or mirror_after <= now())
      and ${pageClause(db, page, 'subscription_id')}`
}

/** Schedules the next attempt to store the owner at the provider: after one minute, doubling up to one day. */
export async function delayMirroring(db: Db, subscriptionId: string): Promise<void> {
  await db`
    update subscriptions set mirror_failures = mirror_failures + 1,
      mirror_after = now() + least(interval '1 minute' * 2 ^ least(mirror_failures, 20), interval '1 day')
    where subscription_id = ${subscriptionId} and account_id is distinct from mirrored_account_id`
}

export async function markMirrored(db: Db, { subscriptionId, accountId }: UnmirroredOwner): Promise<void> {
  await db`
    update subscriptions set mirrored_account_id = ${accountId}, mirror_failures = 0, mirror_after = null
    where subscription_id = ${subscriptionId}`
}

/** Returns whether the customer has or had a subscription. */
export async function isSubscriber(db: Db, customerId: string): Promise<boolean> {
  const [row] = await db`select 1 from subscriptions where customer_id = ${customerId} limit 1`
  return row !== undefined
}

async function lockSubscription(tx: Tx, subscriptionId: string): Promise<LockedRow | undefined> {
  const [row] = await tx<LockedRow[]>`
    select account_id as owner_id, created_by, customer_id, plan
    from subscriptions where subscription_id = ${subscriptionId} for update`
  return row
}

async function isAccount(tx: Tx, accountId: string): Promise<boolean> {
  const [row] = await tx`select 1 from accounts where id::text = ${accountId.toLowerCase()} and kind <> 'artist'`
  return row !== undefined
}

async function assignOwner(
  tx: Tx,
  subscriptionId: string,
  owner: { accountId: string; createdBy: 'webhook' | null; isMirrored: boolean },
): Promise<void> {
  await tx`
    update subscriptions set account_id = ${owner.accountId}, created_by = ${owner.createdBy},
      mirrored_account_id = case when ${owner.isMirrored} then ${owner.accountId}::uuid else mirrored_account_id end,
      mirror_failures = 0, mirror_after = null
    where subscription_id = ${subscriptionId}`
}

async function isUnused(tx: Tx, accountId: string): Promise<boolean> {
  const [row] = await tx<{ unused: boolean }[]>`
    select first_authenticated_at is null as unused from accounts where id = ${accountId} for no key update`
  return row?.unused === true
}
