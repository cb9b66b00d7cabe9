import type { Db } from '../postgres/client.ts'

/** Maximum number of failed turns, and of failed jobs, that are grouped. Newer failures have precedence. */
const maxGroupedFailures = 10_000
const maxGroups = 50
const maxErrorCharacters = 200

export type LiveWork = { kind: string; waiting: number; running: number; oldestSeconds: number }

/** Counts the turns and jobs that have not ended, by kind. */
export function listLiveWork(db: Db): Promise<LiveWork[]> {
  return db<LiveWork[]>`
    select kind, count(*) filter (where not is_running)::int as waiting, count(*) filter (where is_running)::int as running,
      extract(epoch from now() - min(created_at))::float8 as oldest_seconds
    from (
      select 'turn' as kind, status = 'running' as is_running, created_at
      from runs where status in ('queued', 'running') and background_run_id is null
      union all
      select task_identifier, status = 'EXECUTING', created_at
      from background_runs where finished_at is null
    ) live group by kind order by kind`
}

export type FailureGroup = { kind: string; error: string; count: number; lastAt: Date; lastRunId: string }

/**
 * Groups failed turns and jobs by kind and error, most frequent first. Errors that differ only in ids are in the same
 * group.
 */
export function listFailureGroups(db: Db, since: Date): Promise<FailureGroup[]> {
  const from = since.toISOString()
  return db<FailureGroup[]>`
    select kind, error, count(*)::int as count, max(at) as last_at, (array_agg(id order by at desc))[1] as last_run_id
    from (
      select kind, id, at,
        regexp_replace(left(error, ${maxErrorCharacters}), '\\m(?=[\\w-]*\\d)[\\w-]{12,}\\M', '…', 'g') as error
      from (
        (select 'turn' as kind, id, ended_at as at, coalesce(error, 'No error was recorded.') as error
        from runs where status = 'failed' and background_run_id is null and ended_at >= ${from}::timestamptz
        order by ended_at desc limit ${maxGroupedFailures})
        union all
        (select task_identifier, id, finished_at, coalesce(error ->> 'message', 'No error was recorded.')
        from background_runs
        where status in ('FAILED', 'CRASHED', 'SYSTEM_FAILURE') and finished_at >= ${from}::timestamptz
        order by finished_at desc limit ${maxGroupedFailures})
      ) failed
    ) named group by kind, error order by count desc, last_at desc limit ${maxGroups}`
}
