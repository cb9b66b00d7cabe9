import { settleHold as settleHoldNow } from '../../db/credits/ledger.ts'
import { settleHold, type SettleHoldInput } from '../../workflows/credits/messages.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import type { Idempotency, StoredAnswer } from '../http/route.ts'

/**
 * Charges for work that has succeeded and stores the answer under the request's key, in one transaction. When the ledger
 * cannot be written now, the engine charges as soon as it can; the reference keeps a repeat of the request from another charge.
 */
export async function settleWithAnswer(
  { db, engine, log }: ApiDeps,
  settlement: SettleHoldInput,
  { answer, idempotency }: { answer: StoredAnswer; idempotency: Idempotency },
): Promise<void> {
  const { reference } = settlement
  try {
    await db.begin(async (tx) => {
      await settleHoldNow(tx, settlement)
      await idempotency.remember(tx, answer)
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    log.warn({ err: error, reference }, 'a hold was not settled; the engine settles it')
    await engine.start(settleHold, settlement).catch((err: unknown) => {
      log.error({ err, reference, alert: true }, 'work that succeeded was not charged')
    })
  }
}
