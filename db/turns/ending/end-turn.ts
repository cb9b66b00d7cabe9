import type { TurnTerms } from '../../../domain/chat/turn-terms.ts'
import type { TurnEnd } from '../../../domain/chat/turns.ts'
import type { Pool } from '../../postgres/client.ts'
import type { Notifier } from '../../postgres/notify.ts'
import { endRun } from './end.ts'

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
  { runId, end, again }: { runId: string; end: TurnEnd; again: boolean },
): Promise<boolean> {
  const { outcome, error, next } = await endRun(db, { runId, end, again, terms: settings.turns })
  if (outcome === 'not_charged') log.error({ runId, err: error }, 'a run ended without its charge, which failed')
  if (outcome === 'forced') log.error({ runId, err: error }, 'a run was ended by force, and is not charged')
  notifier.wake(runId)
  if (next !== undefined)
    startTurn(next.runId, next).catch((err: unknown) =>
      log.warn({ err, runId: next.runId }, 'the engine did not take the run; it stays queued and is started later'),
    )
  return outcome !== 'already'
}
