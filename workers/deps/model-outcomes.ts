import type { Logger } from 'pino'
import { recordModelOutcome } from '../../db/model-outcomes.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { CallOutcome } from '../../domain/models.ts'

/** Minimum interval between two writes of an unchanged outcome. */
const repeatIntervalMs = 10_000
const maxModels = 1000

type RecordedOutcome = { outcome: CallOutcome; recordedAt: number }

/**
 * Stores the outcomes of model calls: a changed outcome immediately, and an unchanged outcome at most every ten seconds.
 * Calls do not wait for the write. A later call repeats a failed write.
 */
export function createOutcomeRecorder(db: Pool, log: Pick<Logger, 'debug'>) {
  const recordedOutcomes = new Map<string, RecordedOutcome>()
  return ({ modelId, outcome }: { modelId: string; outcome: CallOutcome }): void => {
    const last = recordedOutcomes.get(modelId)
    const recordedAt = Date.now()
    if (last?.outcome === outcome && recordedAt - last.recordedAt < repeatIntervalMs) return
    if (recordedOutcomes.size >= maxModels) recordedOutcomes.clear()
    recordedOutcomes.set(modelId, { outcome, recordedAt })
    recordModelOutcome(db, { modelId, outcome }).catch((error: unknown) => {
      recordedOutcomes.delete(modelId)
      log.debug({ err: error, modelId }, 'failed to store the outcome of a model call')
    })
  }
}
