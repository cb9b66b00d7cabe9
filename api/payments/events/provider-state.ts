import { readClock } from '../../../db/payments/customers.ts'
import type { FetchedSubscription } from '../../../db/payments/subscriptions.ts'
import { planOfPrice } from '../../../domain/payments/subscriptions.ts'
import type { Card } from '../../../domain/payments/payments.ts'
import type { Checkout, PaymentEvent } from '../../../providers/payment/index.ts'
import type { PaymentDeps } from '../route-defaults.ts'
import { callOnce, isMissing } from '../provider-calls.ts'
import { applyCheckoutCard } from '../cards/checkout-card.ts'

/** Data of the provider, read before the transaction that processes the event. */
export type ProviderState = {
  checkout?: Checkout | undefined
  subscription?: (FetchedSubscription & { accountId: string | undefined; buyerId: string | undefined }) | undefined
  card?: { customerId: string; card: Card | null; readAt: Date } | undefined
}

/** Reads the current state of a subscription from the provider; undefined if the provider no longer has it. */
export async function readSubscription(
  deps: PaymentDeps,
  subscriptionId: string,
): Promise<ProviderState['subscription']> {
  const readAt = await readClock(deps.db)
  try {
    const { metadata, ...state } = await callOnce(deps, (payments, signal) =>
      payments.getSubscription(subscriptionId, { signal }),
    )
    const plan = planOfPrice(state.priceId, deps.config.starterPriceId)
    return { ...state, plan, readAt, accountId: metadata['accountId'], buyerId: metadata['buyerId'] }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Reads the current default card from the provider; undefined if the provider no longer has the customer. */
export async function readDefaultCard(deps: PaymentDeps, customerId: string): Promise<ProviderState['card']> {
  const readAt = await readClock(deps.db)
  try {
    const card = await callOnce(deps, (payments, signal) => payments.getDefaultCard(customerId, { signal }))
    return { customerId, card, readAt }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Reads the current state of the event's objects from the provider. For a checkout, first makes its card the default. */
export async function readProviderState(
  deps: PaymentDeps,
  { type, checkout, subscriptionId, customerId }: PaymentEvent,
): Promise<ProviderState> {
  if (type === 'checkout_completed' && checkout !== undefined) return readCheckoutState(deps, checkout)
  if (type !== 'subscription_changed' && type !== 'invoice_paid') return {}
  return {
    subscription: subscriptionId === undefined ? undefined : await readSubscription(deps, subscriptionId),
    card: customerId === undefined ? undefined : await readDefaultCard(deps, customerId),
  }
}

async function readCheckoutState(deps: PaymentDeps, reported: Checkout): Promise<ProviderState> {
  const checkout = await completeCheckout(deps, reported)
  const { customerId, subscriptionId } = checkout
  await applyCheckoutCard(deps, checkout)
  return {
    checkout,
    subscription: subscriptionId === null ? undefined : await readSubscription(deps, subscriptionId),
    card: customerId === null ? undefined : await readDefaultCard(deps, customerId),
  }
}

/** Returns the checkout with its saved card, which an event may omit. */
function completeCheckout(deps: PaymentDeps, checkout: Checkout): Promise<Checkout> {
  return checkout.customerId === null || checkout.cardId !== null
    ? Promise.resolve(checkout)
    : callOnce(deps, (payments, signal) => payments.getCheckout(checkout.sessionId, { signal }))
}
