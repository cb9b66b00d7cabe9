import type { Db } from '../postgres/client.ts'
import type { JobKind, WaitingJob } from './kind.ts'
import { jobKinds } from './list.ts'

/**
 * Returns the job that waits for a run of the provider, if any. `key` is the key of a scraper run, or a prefix of the
 * request id of a render.
 */
export async function findWaitingJob(db: Db, vendor: JobKind['vendor'], key: string): Promise<WaitingJob | undefined> {
  for (const kind of jobKinds) {
    if (kind.vendor !== vendor) continue
    const waiting = await (kind.vendor === 'scraper' ? kind.findWaiting(db, key) : findRendering(db, kind, key))
    if (waiting !== undefined) return waiting
  }
  return undefined
}

async function findRendering(
  db: Db,
  { table, isRendering }: Extract<JobKind, { vendor: 'renderer' }>,
  requestIdPrefix: string,
): Promise<WaitingJob | undefined> {
  const [waiting] = await db<WaitingJob[]>`
    select run_id from ${db(table)}
    where starts_with(provider_request_id, ${requestIdPrefix}) and ${isRendering(db)} limit 1`
  return waiting
}
