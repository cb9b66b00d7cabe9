import type { Job, JobDetail } from '../../domain/runs/jobs.ts'
import type { Db } from '../postgres/client.ts'
import type { IdPage } from '../postgres/id-pages.ts'

type Waiting = Pick<Job, 'id' | 'taskIdentifier' | 'engineStartedAt'>

/** Runs that were accepted and never reached the engine. `minAgeMs` leaves the accepting request its own try. */
export const listUnstartedJobs = (db: Db, minAgeMs: number, { after, limit }: IdPage): Promise<Waiting[]> =>
  db<Waiting[]>`
    select id, task_identifier as "taskIdentifier", engine_started_at as "engineStartedAt" from background_runs
    where engine_started_at is null and finished_at is null and cancel_requested_at is null
      and coalesce(delayed_until, created_at) < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and (${after ?? null}::text is null or id > ${after ?? null}::text)
    order by id limit ${limit}`

type Cancelled = Waiting & Pick<JobDetail, 'chatRunId'>

/** Cancellations that were recorded and not yet told to the engine. */
export const listUndeliveredCancels = (db: Db, minAgeMs: number, { after, limit }: IdPage): Promise<Cancelled[]> =>
  db<Cancelled[]>`
    select id, task_identifier as "taskIdentifier", engine_started_at as "engineStartedAt",
      (select runs.id from runs where runs.background_run_id = background_runs.id) as "chatRunId"
    from background_runs
    where cancel_requested_at < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and cancel_delivered_at is null and finished_at is null
      and (${after ?? null}::text is null or id > ${after ?? null}::text)
    order by id limit ${limit}`

/** Live runs that the engine should know about: those that wait for their chat run have left it. */
export const listStartedJobs = (db: Db, { after, limit }: IdPage): Promise<Waiting[]> =>
  db<Waiting[]>`
    select id, task_identifier as "taskIdentifier", engine_started_at as "engineStartedAt" from background_runs
    where finished_at is null and engine_started_at < now() - interval '10 seconds'
      and not exists (select 1 from runs where runs.background_run_id = background_runs.id)
      and (${after ?? null}::text is null or id > ${after ?? null}::text)
    order by id limit ${limit}`

/** Runs of the engine that are still live so long after they began. */
export const listOverlongJobs = (db: Db, ageMs: number, { after, limit }: IdPage): Promise<{ id: string }[]> =>
  db<{ id: string }[]>`
    select id from background_runs
    where finished_at is null and started_at < now() - make_interval(secs => ${ageMs / 1000}::float8)
      and not exists (select 1 from runs where runs.background_run_id = background_runs.id)
      and (${after ?? null}::text is null or id > ${after ?? null}::text)
    order by id limit ${limit}`
