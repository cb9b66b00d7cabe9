import type { Plan } from '../credits/plans.ts'

/** Subscription as reported by the provider. `status` is the provider's value. Amounts are in cents. */
export type SubscriptionState = {
  subscriptionId: string
  status: string
  priceId: string
  amountCents: number
  currency: string
  interval: string
  periodStart: Date
  periodEnd: Date
  cancelAt: Date | null
  customerId: string
}

export type PaidPlan = Exclude<Plan, 'free'>

/** Returns the plan of a price: starter for the starter price, otherwise pro. */
export function planOfPrice(priceId: string, starterPriceId: string | undefined): PaidPlan {
  return priceId === starterPriceId ? 'starter' : 'pro'
}

type Standing = { status: string; cancelAt: Date | null }

/** Returns whether a subscription is paid, or in a trial that is not cancelled. */
export function isActive({ status, cancelAt }: Standing): boolean {
  return status === 'active' || (status === 'trialing' && cancelAt === null)
}

export const subscriptionStatuses = ['active', 'trialing', 'past_due', 'canceled', 'none'] as const
type SubscriptionStatus = (typeof subscriptionStatuses)[number]

export type OwnedSubscription = SubscriptionState & {
  plan: PaidPlan
  isOwn: boolean
  trialCounts: boolean
  createdAt: Date
}

const ranks: Record<PaidPlan, number> = { starter: 1, pro: 2 }

/** Returns the subscription to show for an account: its active subscription, else an organization's, else its newest. */
export function chooseSubscription(subscriptions: readonly OwnedSubscription[]): OwnedSubscription | undefined {
  const ownSubscriptions = subscriptions.filter(({ isOwn }) => isOwn)
  return findBestActive(ownSubscriptions) ?? findBestActive(subscriptions) ?? findNewest(ownSubscriptions)
}

const names: Record<PaidPlan, string> = { starter: 'Starter', pro: 'Pro' }

/** Converts a subscription to its response. */
export function showSubscription(subscription: OwnedSubscription | undefined) {
  const status = subscription === undefined ? 'none' : toSubscriptionStatus(subscription.status)
  const hasPlan = subscription !== undefined && grantsPlan(subscription)
  const visible = status === 'none' ? undefined : subscription
  return {
    status,
    plan: hasPlan ? subscription.plan : null,
    source: hasPlan ? (subscription.isOwn ? ('account' as const) : ('organization' as const)) : null,
    name: visible === undefined ? null : names[visible.plan],
    amountCents: visible?.amountCents ?? null,
    currency: visible?.currency ?? null,
    interval: visible?.interval ?? null,
    currentPeriodEnd: visible?.periodEnd.toISOString() ?? null,
    cancelAtPeriodEnd: visible === undefined ? null : visible.cancelAt !== null,
  }
}

/** Owner of a claimed subscription. */
export type ClaimedRow = {
  ownerId: string | null
  /** The owner's account was created for this purchase and has never been signed in to. */
  isPlaceholder: boolean
}

/** Decides a claim. Only a subscription without an owner or with a placeholder owner can be taken. */
export function decideClaim({ ownerId, isPlaceholder }: ClaimedRow, callerId: string): 'own' | 'take' | 'refuse' {
  if (ownerId === callerId) return 'own'
  return ownerId === null || isPlaceholder ? 'take' : 'refuse'
}

/** Returns the identities behind a purchase, besides its owner. Each identity has one trial per plan. */
export function listHolders(identities: {
  buyerId?: string | undefined
  email?: string | undefined
  fingerprint?: string | undefined
}): string[] {
  return [
    ...(identities.buyerId === undefined ? [] : [`account:${identities.buyerId}`]),
    ...(identities.email === undefined ? [] : [`email:${identities.email}`]),
    ...(identities.fingerprint === undefined ? [] : [`card:${identities.fingerprint}`]),
  ]
}

function findBestActive(subscriptions: readonly OwnedSubscription[]): OwnedSubscription | undefined {
  return subscriptions
    .filter(grantsPlan)
    .toSorted((a, b) => ranks[b.plan] - ranks[a.plan] || b.createdAt.getTime() - a.createdAt.getTime())[0]
}

/** Returns whether the subscription grants its plan. A trial grants it only if it is the buyer's first trial. */
function grantsPlan(standing: Standing & { trialCounts: boolean }): boolean {
  return isActive(standing) && (standing.status !== 'trialing' || standing.trialCounts)
}

function findNewest(subscriptions: readonly OwnedSubscription[]): OwnedSubscription | undefined {
  return subscriptions.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0]
}

function toSubscriptionStatus(status: string): SubscriptionStatus {
  return subscriptionStatuses.find((value) => value === status) ?? 'none'
}
