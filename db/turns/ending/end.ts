import type { TurnEnd } from '../../../domain/chat/turns.ts'
import type { Pool } from '../../postgres/client.ts'
import { isContentFault } from '../../postgres/failures.ts'
import type { TurnTerms } from '../../../domain/chat/turn-terms.ts'
import { finaliseRun, type Finalised } from './finalise.ts'
import { forceEnd } from './force-end.ts'
import { countFailure } from '../../log/attempts.ts'

/** Stands for the time after the last step where failures are counted. */
const afterSteps = -2

/** Further attempts at the end of one run, which the engine makes five seconds apart. */
const maxEndAttempts = 20

/** How a run was ended; `error`: why not as it should. */
export type RunEnding = Pick<Finalised, 'next'> & { outcome: Finalised['outcome'] | 'forced'; error?: unknown }

type Ending = { runId: string; end: TurnEnd; terms: TurnTerms }

/**
 * Ends a run, whatever it has done: where the finalise transaction fails by content, once more with the charge apart,
 * then by force. `again`: an earlier attempt may have failed in a way that nobody could tell; these are counted, and
 * after some of them the run is ended by force. Throws while Postgres is away and where waiting may help.
 */
export async function endRun(db: Pool, { again, ...ending }: Ending & { again: boolean }): Promise<RunEnding> {
  const force = async (error?: unknown): Promise<RunEnding> => ({
    outcome: await db.begin((tx) => forceEnd(tx, ending.runId, error)),
    error,
  })
  const finalise = (chargeApart: boolean) => db.begin((tx) => finaliseRun(tx, { ...ending, chargeApart }))
  if (again && (await countFailure(db, ending.runId, afterSteps)) > maxEndAttempts) return force()
  try {
    return await finalise(false)
  } catch (error) {
    if (!isContentFault(error)) throw error
    try {
      return { ...(await finalise(true)), error }
    } catch (worse) {
      if (!isContentFault(worse)) throw worse
      return force(worse)
    }
  }
}
