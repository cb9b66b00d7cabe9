import { settleHold as settleHoldNow } from '../../db/credits/ledger.ts'
import { settleHold, type SettleHoldInput } from '../../workflows/credits/messages.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import type { Idempotency, StoredResponse } from '../http/route.ts'

/**
 * Charges for completed work and stores the response under the request's idempotency key, in one transaction. If the
 * transaction fails, starts a workflow that charges. The reference prevents a second charge by a repeated request.
 */
export async function settleWithResponse(
  { db, engine, log }: WorkDeps,
  settlement: SettleHoldInput,
  { response, idempotency }: { response: StoredResponse; idempotency: Idempotency },
): Promise<void> {
  const { reference } = settlement
  try {
    await db.begin(async (tx) => {
      await settleHoldNow(tx, settlement)
      await idempotency.remember(tx, response)
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    log.warn({ err: error, reference }, 'failed to settle a hold; starting a workflow that settles it')
    await engine.start(settleHold, settlement).catch((err: unknown) => {
      log.error({ err, reference, alert: true }, 'work that succeeded was not charged')
    })
  }
}
