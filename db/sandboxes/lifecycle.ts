import type { LifecycleTimes, WatchedSession } from '../../domain/sandboxes/lifecycle.ts'
import type { SessionRow, StoredSandboxState } from '../../domain/sessions/sessions.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'
import type { Version } from './sandboxes.ts'

/**
 * Records the watcher of the session. Like all writes in this file that take a version, returns false when the session was
 * modified concurrently.
 */
export async function markWatched(tx: Tx, { id, lifecycleVersion }: Version, watchId: string): Promise<boolean> {
  const rows = await tx`
    update sessions set lifecycle_run_id = ${watchId}, lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion} returning 1`
  return rows.length === 1
}

/** Changes the state from `active` to `hibernating`. The caller holds the row lock and has checked that no run is live. */
export async function markHibernating(tx: Tx, { id, lifecycleVersion }: Version): Promise<boolean> {
  const rows = await tx`
    update sessions set lifecycle_state = 'hibernating', lifecycle_error = null, lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion} and lifecycle_state = 'active' returning 1`
  return rows.length === 1
}

/** Records that the sandbox has stopped or, with `gone`, no longer exists. */
export async function markHibernated(
  db: Db,
  { id, lifecycleVersion }: Version,
  { gone }: { gone: boolean },
): Promise<boolean> {
  const rows = await db`
    update sessions set lifecycle_state = 'hibernated', lifecycle_error = null, lifecycle_run_id = null,
      sandbox_state = case when ${gone}::boolean then null else sandbox_state - 'expiresAt' end,
      sandbox_expires_at = null, hibernate_after = null, lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion} and lifecycle_state is distinct from 'archived'
    returning 1`
  return rows.length === 1
}

/** Changes the state from `hibernating` to `failed`. `text` is one of a fixed set of messages. */
export async function markFailed(db: Db, { id, lifecycleVersion }: Version, text: string): Promise<boolean> {
  const rows = await db`
    update sessions set lifecycle_state = 'failed', lifecycle_error = ${text}, lifecycle_run_id = null,
      lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion} and lifecycle_state = 'hibernating' returning 1`
  return rows.length === 1
}

/** Records that the sandbox was extended. `hibernating` becomes `active`. `expiresAt` is in epoch milliseconds. */
export async function markExtended(
  db: Db,
  { id, lifecycleVersion }: Version,
  { state, expiresAt }: { state: StoredSandboxState; expiresAt: number },
): Promise<boolean> {
  const rows = await db`
    update sessions set lifecycle_state = 'active', sandbox_state = ${db.json({ ...state, expiresAt })},
      sandbox_expires_at = greatest(sandbox_expires_at, to_timestamp(${toSeconds(expiresAt)}::float8)),
      lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion} and lifecycle_state in ('active', 'hibernating')
    returning 1`
  return rows.length === 1
}

/** Records that the sandbox is running. `failed` becomes `active`. The activity times do not change. */
export async function markConnected(
  db: Db,
  { id, lifecycleVersion }: Version,
  { state, expiresAt, watchId }: { state: StoredSandboxState; expiresAt: number; watchId: string },
): Promise<boolean> {
  const rows = await db`
    update sessions set sandbox_state = ${db.json({ ...state, expiresAt })},
      sandbox_expires_at = to_timestamp(${toSeconds(expiresAt)}::float8),
      lifecycle_error = case when lifecycle_state = 'failed' then null else lifecycle_error end,
      lifecycle_run_id = coalesce(lifecycle_run_id, ${watchId}),
      lifecycle_state = case when lifecycle_state = 'failed' then 'active' else lifecycle_state end,
      lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion}
      and lifecycle_state in ('active', 'hibernating', 'failed')
    returning 1`
  return rows.length === 1
}

export type SandboxActivity = { lastActivityAt: Date; hibernateAfter: Date }

/**
 * Records activity on an active sandbox and returns its times. `hibernating` becomes `active`. Undefined for an inactive
 * sandbox. Times never move backwards.
 */
export async function touchSandbox(
  db: Db,
  id: string,
  { idleTimeoutMs, expiryBufferMs }: LifecycleTimes,
): Promise<SandboxActivity | undefined> {
  const [row] = await db<SandboxActivity[]>`
    update sessions set lifecycle_state = 'active', last_activity_at = greatest(last_activity_at, now()),
      lifecycle_version = lifecycle_version + case when lifecycle_state = 'hibernating' then 1 else 0 end,
      hibernate_after = greatest(hibernate_after, now() + make_interval(secs => ${toSeconds(idleTimeoutMs)}::float8))
    where id = ${id} and lifecycle_state in ('active', 'hibernating')
      and sandbox_expires_at > now() + make_interval(secs => ${toSeconds(expiryBufferMs)}::float8)
    returning last_activity_at, hibernate_after`
  return row
}

/** Returns sessions with a lifecycle action that is overdue by more than `slackMs`. */
export function listOverdue(
  db: Db,
  { idleTimeoutMs, expiryBufferMs, extendBeforeMs }: LifecycleTimes,
  slackMs: number,
  page: IdPage,
): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from (
      select id, sandbox_expires_at as ends_at, hibernate_after, last_activity_at, updated_at,
        exists (select 1 from runs where session_id = sessions.id and status in ('queued', 'running')) as runs_live
      from sessions
      where lifecycle_state in ('active', 'hibernating') and sandbox_state is not null and sandbox_expires_at is not null
    ) as watched
    where now() - make_interval(secs => ${toSeconds(slackMs)}::float8) > case
      when runs_live then ends_at - make_interval(secs => ${toSeconds(extendBeforeMs)}::float8)
      else least(
        coalesce(hibernate_after,
          coalesce(last_activity_at, updated_at) + make_interval(secs => ${toSeconds(idleTimeoutMs)}::float8)),
        ends_at - make_interval(secs => ${toSeconds(expiryBufferMs)}::float8)
      ) end
      and ${pageClause(db, page)}`
}

export type SessionOfRun = WatchedSession &
  Pick<SessionRow, 'id' | 'lifecycleRunId'> & {
    /** Milliseconds since the run was accepted. */
    runAgeMs: number
  }

/** Returns the data of a run's session that determines whether the watcher of its sandbox must be woken now. */
export async function findSessionOfRun(db: Db, runId: string): Promise<SessionOfRun | undefined> {
  const [row] = await db<SessionOfRun[]>`
    select s.id, s.lifecycle_state, s.lifecycle_run_id, s.sandbox_state, s.last_activity_at, s.hibernate_after,
      s.sandbox_started_at, s.sandbox_expires_at,
      s.updated_at, (extract(epoch from now() - r.created_at) * 1000)::float8 as run_age_ms
    from runs r join sessions s on s.id = r.session_id where r.id = ${runId}`
  return row
}

function toSeconds(ms: number): number {
  return ms / 1000
}
