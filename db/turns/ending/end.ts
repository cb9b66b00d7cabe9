import type { TurnEnd } from '../../../domain/chat/turns.ts'
import type { Pool } from '../../postgres/client.ts'
import { isContentFault } from '../../postgres/failures.ts'
import type { TurnTerms } from '../../../domain/chat/turn-terms.ts'
import { finaliseRun, type Finalised } from './finalise.ts'
import { forceEnd } from './force-end.ts'
import { countFailure } from '../../log/attempts.ts'

/** Step number under which failures after the last step are counted. */
const afterSteps = -2

/** Maximum further attempts at the end of one run. Temporal makes them five seconds apart. */
const maxEndAttempts = 20

/** How a run was ended. `error`: the reason of an abnormal end. */
export type RunEnding = Pick<Finalised, 'next'> & { outcome: Finalised['outcome'] | 'forced'; error?: unknown }

type Ending = { runId: string; end: TurnEnd; terms: TurnTerms }

/**
 * Ends a run in any state. When the finalize transaction fails because of the run's content, it is repeated with a
 * separate charge, and finally the run is force-ended. `again`: an earlier attempt may have failed without a record;
 * these are counted, and after several of them the run is force-ended. Throws while Postgres is unavailable and when
 * waiting may help.
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
