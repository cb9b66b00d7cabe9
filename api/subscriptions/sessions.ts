import { createHash } from 'node:crypto'
import { z } from 'zod'
import { claimTrial, hasHadTrial } from '../../db/payments/trial-offers.ts'
import { listSubscriptions } from '../../db/payments/subscriptions.ts'
import { isActive, type OwnedSubscription } from '../../domain/payments/subscriptions.ts'
import { uuid } from '../../domain/fields/fields.ts'
import type { CreateCheckout } from '../../providers/payment/index.ts'
import type { Config } from '../../config.ts'
import { resolveAccount } from '../access/access.ts'
import { callWithRetries, toCheckoutError } from '../payments/provider-calls.ts'
import {
  ensureCustomer,
  hostedPageSchema,
  bodyAccountRoute,
  createProviderKey,
  createReturnUrls,
  providerWait,
  subscriptionsTag,
  type PaymentDeps,
} from '../payments/route-defaults.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Caller, type Route } from '../http/route.ts'

const path = '/api/subscriptions/sessions'

type Plan = 'starter' | 'pro'

type CheckoutOptions = Pick<CreateCheckout, 'mode' | 'priceId' | 'successUrl' | 'cancelUrl'>
type CheckoutPlan = { checkout: CheckoutOptions & { trialDays: number }; createdAt: Date; idempotencyKey: string }

type CheckoutParties = { accountId: string | undefined; callerId: string }

export function subscriptionSessionRoute(deps: PaymentDeps): Route {
  const returnUrls = createReturnUrls(deps)
  return route({
    ...bodyAccountRoute,
    ...providerWait,
    tag: subscriptionsTag,
    method: 'POST',
    path,
    summary: 'Create a checkout for a subscription',
    description:
      'Returns the URL of a hosted checkout. Without credentials, the purchase belongs to the account with the email ' +
      'address of the payer; POST /api/subscriptions/claim assigns it to another account. A plan has one trial for each ' +
      'account, buyer, email address of the payer and card. A second trial grants no credits until its subscription is ' +
      'paid. `session_id` is added to the query of the success URL.',
    auth: 'optional',
    rate: 'checkouts',
    idempotent: 'before-validation',
    example: { plan: 'starter' },
    body: z.object({
      plan: z.enum(['starter', 'pro']).default('pro'),
      successUrl: returnUrls.schema,
      cancelUrl: returnUrls.schema,
      accountId: uuid.optional(),
    }),
    bodyOptional: true,
    responses: { 200: hostedPageSchema },
    errors: ['forbidden', 'bad_gateway', 'unavailable'],
    authorize: async ({ caller, body }) => {
      if (caller.accountId !== '') await resolveAccount(deps, caller, body.accountId)
      else if (body.accountId !== undefined) throw new ApiError('unauthorized', 'accountId requires credentials')
    },
    handle: async (request) => {
      const { caller, body } = request
      const priceId = requirePriceId(deps.config, body.plan)
      const accountId = resolveOwnerId(caller, body.accountId)
      const subscriptions = await listOwnSubscriptions(deps, accountId)
      if (subscriptions.some(isActive)) throw new ApiError('conflict', 'already_subscribed')
      const accountIds = accountId === undefined ? [] : [accountId, caller.accountId]
      const checkoutPlan = await claimTrialOffer(deps, {
        accountIds,
        plan: body.plan,
        checkout: {
          mode: 'subscription',
          priceId,
          trialDays: await resolveTrialDays(deps, body.plan, { subscriptions, accountIds }),
          successUrl: body.successUrl ?? returnUrls.defaultUrl,
          cancelUrl: body.cancelUrl ?? returnUrls.defaultUrl,
        },
        createdAt: new Date(),
        idempotencyKey: createProviderKey(`POST ${path}`, request),
      })
      const { sessionId: id, url } = await openCheckout(deps, { accountId, callerId: caller.accountId }, checkoutPlan)
      return ok({ id, url })
    },
  })
}

function requirePriceId({ starterPriceId, proPriceId }: Config, plan: Plan): string {
  const priceId = plan === 'starter' ? starterPriceId : proPriceId
  if (priceId === undefined) throw new ApiError('invalid_request', `${plan}_unavailable`)
  return priceId
}

/** Returns the account that the subscription is for; undefined for an anonymous caller. */
function resolveOwnerId(caller: Caller, accountId: string | undefined): string | undefined {
  return caller.accountId === '' ? undefined : (accountId ?? caller.accountId)
}

async function listOwnSubscriptions(deps: PaymentDeps, accountId: string | undefined): Promise<OwnedSubscription[]> {
  return accountId === undefined ? [] : (await listSubscriptions(deps.db, accountId)).filter(({ isOwn }) => isOwn)
}

/** Claims the trial for this checkout. An equal request gets the same checkout, so that only one open page offers the trial. */
async function claimTrialOffer(
  deps: PaymentDeps,
  { accountIds, plan, ...checkoutPlan }: CheckoutPlan & { accountIds: readonly string[]; plan: Plan },
): Promise<CheckoutPlan> {
  const { checkout, idempotencyKey: providerKey } = checkoutPlan
  if (accountIds.length === 0 || checkout.trialDays === 0) return checkoutPlan
  const requestHash = createHash('sha256')
    .update(JSON.stringify([accountIds, checkout]))
    .digest('hex')
  const offer = await claimTrial(deps.db, { accountIds, plan, requestHash, providerKey })
  if (offer === undefined) return { ...checkoutPlan, checkout: { ...checkout, trialDays: 0 } }
  return { checkout, createdAt: offer.openedAt, idempotencyKey: offer.providerKey }
}

/**
 * Returns the trial days of a plan, or 0 if the account or the buyer has had a trial of the plan or has subscribed to it.
 */
async function resolveTrialDays(
  { db, config }: PaymentDeps,
  plan: Plan,
  { subscriptions, accountIds }: { subscriptions: readonly OwnedSubscription[]; accountIds: readonly string[] },
): Promise<number> {
  return subscriptions.some((subscription) => subscription.plan === plan) || (await hasHadTrial(db, plan, accountIds))
    ? 0
    : config.plans.table[plan].trialDays
}

async function openCheckout(
  deps: PaymentDeps,
  { accountId, callerId }: CheckoutParties,
  { checkout, createdAt, idempotencyKey }: CheckoutPlan,
) {
  const metadata = {
    purpose: 'subscription',
    createdAt: createdAt.toISOString(),
    ...(accountId !== undefined && { accountId, buyerId: callerId }),
  }
  try {
    const customerId = accountId === undefined ? undefined : await ensureCustomer(deps, accountId)
    return await callWithRetries(deps, (payments, signal) =>
      payments.createCheckout(
        { ...checkout, metadata, ...(customerId !== undefined && { customerId }) },
        { idempotencyKey, signal },
      ),
    )
  } catch (error) {
    throw toCheckoutError(deps, error)
  }
}
