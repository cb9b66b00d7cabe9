import type { TurnEnd } from '../../../domain/chat/turns.ts'
import type { Pool } from '../../postgres/client.ts'
import type { Notifier } from '../../postgres/notify.ts'
import { endRun } from './end.ts'

type EndDeps = {
  db: Pool
  notifier: Pick<Notifier, 'wake'>
  settings: { sandboxIdleMs: number }
  log: { error(details: object, message: string): void }
}

/** Ends a run for good, wakes its readers, and tells the operator of one that did not end as it should. */
export async function endTurn(
  { db, notifier, settings, log }: EndDeps,
  { runId, end, again }: { runId: string; end: TurnEnd; again: boolean },
): Promise<void> {
  const { outcome, error } = await endRun(db, { runId, end, again, idleMs: settings.sandboxIdleMs })
  if (outcome === 'not_charged') log.error({ runId, err: error }, 'a run ended without its charge, which failed')
  if (outcome === 'forced') log.error({ runId, err: error }, 'a run was ended by force, and is not charged')
  notifier.wake(runId)
}
