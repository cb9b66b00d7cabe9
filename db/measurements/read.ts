import type { Page } from '../../domain/fields/pages.ts'
import type { MeasurementJob } from '../../domain/measurements/jobs.ts'
import type { Db } from '../postgres/client.ts'

export type OwnedJob = MeasurementJob & { accountId: string }

export async function findMeasurementJob(db: Db, id: string): Promise<OwnedJob | undefined> {
  const [job] = await db<OwnedJob[]>`select ${columns(db)} from playcount_snapshots job where job.id = ${id}`
  return job
}

/** Returns the account's jobs, latest first. */
export function listMeasurementJobs(db: Db, accountId: string, { limit, offset }: Page): Promise<OwnedJob[]> {
  return db<OwnedJob[]>`
    select ${columns(db)} from playcount_snapshots job where job.account_id = ${accountId}
    order by job.created_at desc, job.id desc limit ${limit} offset ${offset}`
}

function columns(db: Db) {
  return db`
  job.id, job.run_id, job.account_id, job.state, job.album_count, job.estimated_cost_usd::text, job.credits_charged,
  job.catalog_id, job.error, to_json(job.unmeasured_album_ids) as unmeasured_album_ids, job.created_at, job.updated_at,
  (select count(distinct isrc)::int from song_measurements where snapshot_id = job.id) as measured_song_count`
}
