import { findCustomerById, findCheckoutCard, recordCheckoutCard } from '../../../db/payments/customers.ts'
import type { Checkout } from '../../../providers/payment/index.ts'
import type { PaymentDeps } from '../route-defaults.ts'
import { callOnce, isMissing } from '../provider-calls.ts'

/**
 * Makes the card that a checkout saved the customer's default card, unless a later checkout has saved another card. Events of
 * several checkouts may arrive concurrently and in any order, so this repeats until the latest checkout's card is the default.
 */
export async function applyCheckoutCard(deps: PaymentDeps, checkout: Checkout): Promise<void> {
  const { customerId, cardId, sessionId } = checkout
  const createdAt = readCreationTime(checkout)
  if (customerId === null || cardId === null || createdAt === undefined) return
  if ((await findCustomerById(deps.db, customerId)) === undefined)
    return setDefault(deps, customerId, cardId, sessionId)
  await recordCheckoutCard(deps.db, { customerId, cardId, at: createdAt })
  for (let latestCard = await findCheckoutCard(deps.db, customerId); latestCard !== undefined;) {
    await setDefault(deps, customerId, latestCard, sessionId)
    const newerCard = await findCheckoutCard(deps.db, customerId)
    if (newerCard === latestCard) return
    latestCard = newerCard
  }
}

/**
 * Returns the creation time of our checkout; undefined for a checkout that the provider created, where the customer chooses
 * the default card.
 */
function readCreationTime({ metadata }: Checkout): Date | undefined {
  const createdAt = new Date(metadata['createdAt'] ?? '')
  return Number.isNaN(createdAt.getTime()) ? undefined : createdAt
}

async function setDefault(deps: PaymentDeps, customerId: string, cardId: string, sessionId: string): Promise<void> {
  const idempotencyKey = `default:${sessionId}:${cardId}`
  try {
    await callOnce(deps, (payments, signal) => payments.setDefaultCard(customerId, cardId, { idempotencyKey, signal }))
  } catch (error) {
    // The card was removed after the checkout.
    if (!isMissing(error)) throw error
  }
}
