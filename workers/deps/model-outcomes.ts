import type { Logger } from 'pino'
import { recordModelOutcome } from '../../db/model-outcomes.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { CallOutcome } from '../../domain/models.ts'

/** Minimum interval between two writes of an unchanged outcome. */
const repeatIntervalMs = 10_000
const maxModels = 1000

type RecordedOutcome = { outcome: CallOutcome; recordedAt: number }

/**
 * Stores the outcomes of model calls: a changed outcome immediately, an unchanged one every ten seconds. Calls do not
 * wait for the write, and a later call repeats a failed one.
 */
export function createOutcomeRecorder(db: Pool, log: Pick<Logger, 'debug'>) {
  const recorded = new Map<string, RecordedOutcome>()
  return ({ modelId, outcome }: { modelId: string; outcome: CallOutcome }): void => {
    const last = recorded.get(modelId)
    const recordedAt = Date.now()
    if (last?.outcome === outcome && recordedAt - last.recordedAt < repeatIntervalMs) return
    if (recorded.size >= maxModels) recorded.clear()
    recorded.set(modelId, { outcome, recordedAt })
    recordModelOutcome(db, { modelId, outcome }).catch((error: unknown) => {
      recorded.delete(modelId)
      log.debug({ err: error, modelId }, 'failed to store the outcome of a model call')
    })
  }
}
