import { findCustomerById, findCheckoutCard, recordCheckoutCard } from '../../../db/payments/customers.ts'
import type { Checkout } from '../../../providers/payment/index.ts'
import type { ApiDeps } from '../../deps.ts'
import { callOnce, isMissing } from '../provider-calls.ts'

/**
 * Makes the card that a checkout saved the customer's default, unless a later checkout has saved one. Events of two
 * checkouts may arrive in any order and concurrently: the handler of the earlier one then sets the later card again.
 */
export async function applyWantedCard(deps: ApiDeps, checkout: Checkout): Promise<void> {
  const { customerId, cardId, sessionId } = checkout
  const createdAt = readCreationTime(checkout)
  if (customerId === null || cardId === null || createdAt === undefined) return
  if ((await findCustomerById(deps.db, customerId)) === undefined)
    return setDefault(deps, customerId, cardId, sessionId)
  await recordCheckoutCard(deps.db, { customerId, cardId, at: createdAt })
  for (let wanted = await findCheckoutCard(deps.db, customerId); wanted !== undefined;) {
    await setDefault(deps, customerId, wanted, sessionId)
    const latest = await findCheckoutCard(deps.db, customerId)
    if (latest === wanted) return
    wanted = latest
  }
}

/**
 * Creation time of our checkout; undefined for one that the provider created, where the customer chooses the default card.
 * themselves.
 */
function readCreationTime({ metadata }: Checkout): Date | undefined {
  const createdAt = new Date(metadata['createdAt'] ?? '')
  return Number.isNaN(createdAt.getTime()) ? undefined : createdAt
}

async function setDefault(deps: ApiDeps, customerId: string, cardId: string, sessionId: string): Promise<void> {
  const idempotencyKey = `default:${sessionId}:${cardId}`
  try {
    await callOnce(deps, (payments, signal) => payments.setDefaultCard(customerId, cardId, { idempotencyKey, signal }))
  } catch (error) {
    // The card was removed in the meantime.
    if (!isMissing(error)) throw error
  }
}
