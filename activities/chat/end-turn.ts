import type { Logger } from 'pino'
import type { Pool } from '../../db/client.ts'
import type { Notifier } from '../../db/notify.ts'
import { endRun } from '../../db/turns/end.ts'
import type { TurnEnd } from '../../domain/turns.ts'

type EndDeps = { db: Pool; notifier: Pick<Notifier, 'wake'>; settings: { sandboxIdleMs: number }; log: Logger }

/** Ends a run for good, wakes its readers, and tells the operator of one that did not end as it should. */
export const endTurn = async (
  { db, notifier, settings, log }: EndDeps,
  { runId, end, again }: { runId: string; end: TurnEnd; again: boolean },
): Promise<void> => {
  const { outcome, error } = await endRun(db, { runId, end, again, idleMs: settings.sandboxIdleMs })
  if (outcome === 'not_charged') log.error({ runId, err: error }, 'a run ended without its charge, which failed')
  if (outcome === 'forced') log.error({ runId, err: error }, 'a run was ended by force, and is not charged')
  notifier.wake(runId)
}
