import { settleHold as settleHoldNow } from '../../db/credits/ledger.ts'
import { settleHold, type SettleHoldInput } from '../../workflows/credits/messages.ts'
import type { ApiDeps } from '../deps.ts'

/** Charges for work that has succeeded; where the ledger cannot be written now, the engine does it as soon as it can. */
export async function settleOrQueue({ db, engine, log }: ApiDeps, settlement: SettleHoldInput): Promise<void> {
  const { reference } = settlement
  try {
    await db.begin((tx) => settleHoldNow(tx, settlement))
  } catch (error) {
    log.warn({ err: error, reference }, 'a hold was not settled; the engine settles it')
    await engine.start(settleHold, settlement).catch((err: unknown) => {
      log.error({ err, reference, alert: true }, 'work that succeeded was not charged')
    })
  }
}
