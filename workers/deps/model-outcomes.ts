import type { Logger } from 'pino'
import { noteModelOutcome } from '../../db/model-outcomes.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { CallOutcome } from '../../domain/models.ts'

/** An outcome that is the same as before is stored so often. */
const repeatMs = 10_000
const maxModels = 1000

type Noted = { outcome: CallOutcome; at: number }

/**
 * Stores how calls of models end: what is new at once, what is the same as before every ten seconds. Nobody waits for
 * it, and what could not be stored comes with a later call.
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
      log.debug({ err: error, modelId }, 'the outcome of a model call could not be stored')
    })
  }
}
