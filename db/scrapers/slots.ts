import type { Tx } from '../postgres/client.ts'

/** Maximum concurrent scraper runs, in total and per account. */
export type Slots = { all: number; perAccount: number }

/**
 * Returns the number of scraper slots that are free for this account. Profiles and play counts share the slots. Other
 * claims wait until the transaction ends, so that each counts all slots claimed earlier.
 */
export async function countFreeSlots(tx: Tx, accountId: string, slots: Slots): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended('scraper slots', 0))`
  const [live] = await tx<[{ all: number; perAccount: number }]>`
    select count(*)::int as all, count(*) filter (where account_id = ${accountId})::int as per_account from (
      select batch.account_id from scraper_runs run join scraper_batches batch on batch.run_id = run.batch_run_id
      where run.asked_at is not null and run.finished_at is null
      union all
      select job.account_id from capture_chunks chunk join playcount_snapshots job on job.id = chunk.snapshot_id
      where chunk.outcome = 'open' and job.state = 'running'
    ) as live`
  return Math.max(0, Math.min(slots.all - live.all, slots.perAccount - live.perAccount))
}
