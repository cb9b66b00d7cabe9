import type { Logger } from 'pino'
import { noteModelOutcome } from '../../db/model-outcomes.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { CallOutcome } from '../../domain/models.ts'

/** Minimum interval between two writes of an unchanged outcome. */
const repeatMs = 10_000
const maxModels = 1000

type Noted = { outcome: CallOutcome; at: number }

/**
 * Stores the outcomes of model calls: a changed outcome immediately, an unchanged one every ten seconds. Calls do not
 * wait for the write, and a failed write is repeated with a later call.
 */
export function createOutcomeNotes(db: Pool, log: Pick<Logger, 'debug'>) {
  const noted = new Map<string, Noted>()
  return ({ modelId, outcome }: { modelId: string; outcome: CallOutcome }): void => {
    const last = noted.get(modelId)
    const at = Date.now()
    if (last?.outcome === outcome && at - last.at < repeatMs) return
    if (noted.size >= maxModels) noted.clear()
    noted.set(modelId, { outcome, at })
    noteModelOutcome(db, { modelId, outcome }).catch((error: unknown) => {
      noted.delete(modelId)
      log.debug({ err: error, modelId }, 'failed to store the outcome of a model call')
    })
  }
}
