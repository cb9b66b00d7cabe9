import type { Job, JobDetail } from '../../domain/jobs/job.ts'
import type { Db } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'

type StartableJob = Pick<Job, 'id' | 'jobKind' | 'engineStartedAt'>

/** Returns accepted runs that never reached Temporal. `minAgeMs` leaves time for the request that accepted them. */
export function listUnstartedJobs(db: Db, minAgeMs: number, page: IdPage): Promise<StartableJob[]> {
  return db<StartableJob[]>`
    select id, task_identifier as job_kind, engine_started_at from background_runs
    where engine_started_at is null and finished_at is null and cancel_requested_at is null
      and coalesce(delayed_until, created_at) < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and ${pageClause(db, page)}`
}

type CancelledJob = StartableJob & Pick<JobDetail, 'chatRunId'>

/** Returns runs whose recorded cancellation was not delivered to Temporal. */
export function listUndeliveredCancels(db: Db, minAgeMs: number, page: IdPage): Promise<CancelledJob[]> {
  return db<CancelledJob[]>`
    select id, task_identifier as job_kind, engine_started_at,
      (select runs.id from runs where runs.background_run_id = background_runs.id) as chat_run_id
    from background_runs
    where cancel_requested_at < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and cancel_delivered_at is null and finished_at is null
      and ${pageClause(db, page)}`
}

/** Returns live runs whose workflow started at least 10 seconds ago. Omits runs that wait for a chat run instead. */
export function listStartedJobs(db: Db, page: IdPage): Promise<StartableJob[]> {
  return db<StartableJob[]>`
    select id, task_identifier as job_kind, engine_started_at from background_runs
    where finished_at is null and engine_started_at < now() - interval '10 seconds'
      and not exists (select 1 from runs where runs.background_run_id = background_runs.id)
      and ${pageClause(db, page)}`
}

/** Returns runs with a workflow that are still live `ageMs` after their start. */
export function listOverlongJobs(db: Db, ageMs: number, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from background_runs
    where finished_at is null and started_at < now() - make_interval(secs => ${ageMs / 1000}::float8)
      and not exists (select 1 from runs where runs.background_run_id = background_runs.id)
      and ${pageClause(db, page)}`
}
