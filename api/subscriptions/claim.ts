import { z } from 'zod'
import {
  addHolders,
  claimSubscription,
  hasSubscriptionRow,
  linkSubscription,
  saveSubscription,
} from '../../db/payments/subscriptions.ts'
import { text, successOf } from '../../domain/fields/fields.ts'
import type { Checkout } from '../../providers/payment/index.ts'
import { ApiError, throwAs } from '../http/errors.ts'
import { callWithRetries, isMissing, toProviderError } from '../payments/provider-calls.ts'
import { providerWait, subscriptionsTag, type PaymentDeps } from '../payments/route-defaults.ts'
import { listCheckoutHolders, startMirror } from '../payments/holders.ts'
import { readDefaultCard, readSubscription } from '../payments/events/provider-state.ts'
import { kibibytes, route, success, type Route } from '../http/route.ts'

export function claimRoute(deps: PaymentDeps): Route {
  return route({
    ...providerWait,
    tag: subscriptionsTag,
    method: 'POST',
    path: '/api/subscriptions/claim',
    summary: 'Claim a subscription that was bought without signing in',
    description:
      'Required if the email address of the checkout is not an address of the account. The call is safe to repeat. A purchase by a signed-in person cannot be claimed by another account.',
    auth: 'key-or-bearer',
    ownership:
      'The caller becomes the owner of a purchase whose session id it knows and that no other account has claimed.',
    envelope: 'claim',
    bodyLimit: kibibytes(256),
    rate: 'default',
    widensAccess: true,
    example: { session_id: 'cs_test_a1b2c3d4e5f6' },
    body: z.object({ session_id: text(1, 255) }),
    responses: { 200: successOf({ subscription_id: z.string(), plan: z.enum(['starter', 'pro']) }) },
    errors: ['not_found', 'conflict', 'bad_gateway'],
    handle: async ({ caller, body }) => success(await claim(deps, caller.accountId, body.session_id)),
  })
}

async function claim(deps: PaymentDeps, callerId: string, sessionId: string) {
  const checkout = await readCheckout(deps, sessionId)
  const { subscriptionId, metadata } = checkout
  if (subscriptionId === null) throw noSubscription()
  const missingSubscription = await readUnsavedSubscription(deps, subscriptionId)
  const holders = listCheckoutHolders(checkout, await findCard(deps, checkout))
  const { claimed, plan } = await deps.db.begin(async (tx) => {
    if (missingSubscription !== undefined) await saveSubscription(tx, missingSubscription)
    await addHolders(tx, subscriptionId, holders)
    // A purchase by a signed-in account is first assigned to that account, because its event may not have arrived.
    const { accountId } = metadata
    if (accountId !== undefined) await linkSubscription(tx, subscriptionId, { accountId })
    return claimSubscription(tx, subscriptionId, callerId)
  })
  if (!claimed) throw new ApiError('conflict', 'already_claimed')
  startMirror(deps, subscriptionId)
  return { subscription_id: subscriptionId, plan }
}

async function readCheckout(deps: PaymentDeps, sessionId: string): Promise<Checkout> {
  try {
    return await callWithRetries(deps, (payments, signal) => payments.getCheckout(sessionId, { signal }))
  } catch (error) {
    throw isMissing(error) ? new ApiError('not_found', 'session_not_found') : toProviderError(deps, error)
  }
}

function noSubscription(): ApiError {
  return new ApiError('invalid_request', 'no_subscription')
}

/** Reads the subscription from the provider if its webhook has not arrived. Returns undefined if its row exists. */
async function readUnsavedSubscription(deps: PaymentDeps, subscriptionId: string) {
  if (await hasSubscriptionRow(deps.db, subscriptionId)) return undefined
  const subscription = await readSubscription(deps, subscriptionId).catch(
    throwAs((error) => toProviderError(deps, error)),
  )
  if (subscription === undefined) throw noSubscription()
  return subscription
}

async function findCard(deps: PaymentDeps, { customerId }: Checkout) {
  if (customerId === null) return undefined
  const defaultCard = await readDefaultCard(deps, customerId).catch(throwAs((error) => toProviderError(deps, error)))
  return defaultCard?.card
}
