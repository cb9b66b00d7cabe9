import { findCustomerById, findCheckoutCard, recordCheckoutCard } from '../../../db/payments/customers.ts'
import type { Checkout } from '../../../providers/payment/index.ts'
import type { ApiDeps } from '../../deps.ts'
import { callOnce, isMissing } from '../ask.ts'

/**
 * Makes the card that a checkout saved the customer's default, unless a later checkout has saved one. Events of two
 * checkouts may arrive in any order and concurrently: the handler of the earlier one then sets the later card again.
 */
export async function applyWantedCard(deps: ApiDeps, checkout: Checkout): Promise<void> {
  const { customerId, cardId, sessionId } = checkout
  const at = madeAt(checkout)
  if (customerId === null || cardId === null || at === undefined) return
  if ((await findCustomerById(deps.db, customerId)) === undefined)
    return setDefault(deps, customerId, cardId, sessionId)
  await recordCheckoutCard(deps.db, { customerId, cardId, at })
  for (let wanted = await findCheckoutCard(deps.db, customerId); wanted !== undefined;) {
    await setDefault(deps, customerId, wanted, sessionId)
    const now = await findCheckoutCard(deps.db, customerId)
    if (now === wanted) return
    wanted = now
  }
}

/**
 * Creation time of our checkout; undefined for one that the provider created, where people choose their default
 * themselves.
 */
function madeAt({ metadata }: Checkout): Date | undefined {
  const at = new Date(metadata['createdAt'] ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at
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
