import type { Db } from '../postgres/client.ts'

/** Depth of a database queue. `oldestSeconds`: age of the oldest waiting entry; null if no entry waits. */
export type QueueDepth = {
  name: 'turns' | 'jobs' | 'mails'
  waiting: number
  oldestSeconds: number | null
  running: number
}

export function listQueueDepths(db: Db): Promise<QueueDepth[]> {
  return db<QueueDepth[]>`
    select 'turns' as name, count(*) filter (where status = 'queued')::int as waiting,
      extract(epoch from now() - min(created_at) filter (where status = 'queued'))::float8 as oldest_seconds,
      count(*) filter (where status = 'running')::int as running
    from runs where status in ('queued', 'running')
    union all
    select 'jobs', count(*) filter (where status <> 'EXECUTING')::int,
      extract(epoch from now() - min(created_at) filter (where status <> 'EXECUTING'))::float8,
      count(*) filter (where status = 'EXECUTING')::int
    from background_runs where finished_at is null
    union all
    select 'mails', count(*)::int, extract(epoch from now() - min(created_at))::float8, 0
    from mail_outbox join email_send_log using (id)`
}

/** Counts the runs that need an operator's attention, by reason. */
export function listRunAlertsByReason(db: Db): Promise<{ name: string; count: number; lastAt: Date }[]> {
  return db<{ name: string; count: number; lastAt: Date }[]>`
    select reason as name, count(*)::int as count, max(created_at) as last_at from run_alerts group by reason order by 1`
}
