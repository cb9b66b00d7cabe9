import type { TurnTerms } from '../../../domain/chat/turn-terms.ts'
import type { TurnEnd } from '../../../domain/chat/turns.ts'
import type { Pool } from '../../postgres/client.ts'
import type { Notifier } from '../../postgres/channels/notify.ts'
import { countFailure } from '../../log/attempts.ts'
import { isContentError } from '../../postgres/failures.ts'
import { finalizeRun, type FinalizeResult } from './finalize.ts'
import { forceEnd } from './force-end.ts'

/** Step number under which failures to end the turn are counted. */
const afterSteps = -2

/** Maximum retries of the end of a run. Temporal retries every five seconds. */
const maxEndAttempts = 20

/** Result of ending a run. `error`: the reason of an abnormal end. */
type RunEnding = Pick<FinalizeResult, 'next'> & { outcome: FinalizeResult['outcome'] | 'forced'; error?: unknown }

type EndRequest = { runId: string; end: TurnEnd; terms: TurnTerms }

type EndDeps = {
  db: Pool
  notifier: Pick<Notifier, 'wake'>
  settings: { turns: TurnTerms }
  /** Starts the workflow of an accepted run. */
  startTurn: (runId: string, options: { headless: boolean; bounded: boolean }) => Promise<void>
  log: Record<'warn' | 'error', (details: object, message: string) => void>
}

/**
 * Ends a run permanently, wakes its readers, starts the turn of the next waiting message, and alerts the operator of an
 * abnormal end. Returns false when it had already ended.
 */
export async function endTurn(
  { db, notifier, settings, startTurn, log }: EndDeps,
  { runId, end, isRetry }: { runId: string; end: TurnEnd; isRetry: boolean },
): Promise<boolean> {
  const { outcome, error, next } = await endRun(db, { runId, end, isRetry, terms: settings.turns })
  if (outcome === 'not_charged') log.error({ runId, err: error }, 'the run ended, but its charge failed')
  if (outcome === 'forced') log.error({ runId, err: error }, 'the run was force-ended without a charge')
  notifier.wake(runId)
  if (next !== undefined)
    startTurn(next.runId, next).catch((err: unknown) =>
      log.warn({ err, runId: next.runId }, 'Temporal did not accept the run; the sweeper starts it later'),
    )
  return outcome !== 'already'
}

/**
 * Ends a run in any state. If the finalize transaction fails because of the run's content, repeats it with a separate
 * charge. If that transaction also fails, force-ends the run. With `isRetry`, counts the retry, because an attempt may fail
 * without a record, and force-ends the run after `maxEndAttempts` retries. Throws when a retry may succeed, for example
 * while Postgres is unavailable.
 */
async function endRun(db: Pool, { isRetry, ...ending }: EndRequest & { isRetry: boolean }): Promise<RunEnding> {
  const force = async (error?: unknown): Promise<RunEnding> => ({
    outcome: await db.begin((tx) => forceEnd(tx, ending.runId, error)),
    error,
  })
  const finalize = (chargesSeparately: boolean) => db.begin((tx) => finalizeRun(tx, { ...ending, chargesSeparately }))
  if (isRetry && (await countFailure(db, ending.runId, afterSteps)) > maxEndAttempts) return force()
  try {
    return await finalize(false)
  } catch (error) {
    if (!isContentError(error)) throw error
    try {
      return { ...(await finalize(true)), error }
    } catch (secondError) {
      if (!isContentError(secondError)) throw secondError
      return force(secondError)
    }
  }
}
