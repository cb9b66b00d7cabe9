import { storableText } from '../../domain/fields/storable.ts'
import type { Db, Tx } from '../postgres/client.ts'

/** Reason why an operator must check a run: its charge failed, or it was force-ended without a charge. */
export type RunAlertReason = 'not_charged' | 'forced_end'

const maxDetailCharacters = 300

/**
 * Inserts at most one alert per run and reason. Does not read the content of the run, because invalid content would make
 * the insert fail.
 */
export async function insertRunAlert(
  tx: Tx,
  { runId, accountId, reason, error }: { runId: string; accountId: string; reason: RunAlertReason; error: unknown },
): Promise<void> {
  await tx`
    insert into run_alerts (run_id, reason, account_id, detail)
    values (${runId}, ${reason}, ${accountId}, ${describeError(error)}) on conflict do nothing`
}

export function countRunAlerts(db: Db): Promise<{ reason: RunAlertReason; count: number }[]> {
  return db<{ reason: RunAlertReason; count: number }[]>`
    select reason, count(*)::int as count from run_alerts group by reason`
}

function describeError(error: unknown): string {
  return storableText(error instanceof Error ? `${error.name}: ${error.message}` : 'no error was reported').slice(
    0,
    maxDetailCharacters,
  )
}
