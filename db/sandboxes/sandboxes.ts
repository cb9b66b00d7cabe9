import type { StoredSandboxState } from '../../domain/sessions/sessions.ts'
import type { Db } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'
import type { Workspace } from '../sessions/sessions.ts'

/** A session at a version. A guarded write succeeds only while the session still has this version. */
export type Version = { id: string; lifecycleVersion: number }

/**
 * Changes the state to `restoring`, from `hibernated`, or from `active` with an ended sandbox. Returns false when the
 * session was modified concurrently.
 */
export async function markRestoring(db: Db, { id, lifecycleVersion }: Version): Promise<boolean> {
  const rows = await db`
    update sessions set lifecycle_state = 'restoring', lifecycle_error = null, lifecycle_run_id = null,
      sandbox_state = sandbox_state - 'expiresAt', sandbox_expires_at = null, hibernate_after = null,
      lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion} returning 1`
  return rows.length === 1
}

/** Records a running sandbox. Returns false when the session was modified concurrently. */
export async function activateSandbox(
  db: Db,
  { id, lifecycleVersion }: Version,
  {
    state,
    branch,
    startedAt,
    idleTimeoutMs,
    watchId,
  }: {
    state: StoredSandboxState & { expiresAt: number }
    branch: string
    startedAt: number
    idleTimeoutMs: number
    /** Id of the new watcher. */
    watchId: string
  },
): Promise<boolean> {
  const rows = await db`
    update sessions set lifecycle_state = 'active', lifecycle_error = null, sandbox_state = ${db.json(state)},
      branch = ${branch}, last_activity_at = now(), lifecycle_run_id = coalesce(lifecycle_run_id, ${watchId}),
      sandbox_started_at = to_timestamp(${startedAt / 1000}::float8),
      hibernate_after = now() + make_interval(secs => ${idleTimeoutMs / 1000}::float8),
      sandbox_expires_at = to_timestamp(${state.expiresAt / 1000}::float8),
      snapshot_url = null, snapshot_created_at = null, lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion} returning 1`
  return rows.length === 1
}

/**
 * Records a failed start. `restoring` becomes `hibernated`; other states do not change. Writes nothing when the session was
 * modified concurrently. `text` is one of a fixed set of messages.
 */
export async function failProvisioning(db: Db, { id, lifecycleVersion }: Version, text: string): Promise<void> {
  await db`
    update sessions set lifecycle_error = ${text},
      lifecycle_version = lifecycle_version + case when lifecycle_state = 'restoring' then 1 else 0 end,
      lifecycle_state = case when lifecycle_state = 'restoring' then 'hibernated' else lifecycle_state end
    where id = ${id} and lifecycle_version = ${lifecycleVersion} and lifecycle_state is distinct from 'archived'`
}

/** Records that the sandbox of an archived session has stopped. Its state keeps the name but not `expiresAt`. */
export async function settleArchived(
  db: Db,
  { id, lifecycleVersion, sandboxState }: Version & { sandboxState: StoredSandboxState | null },
  text: string | null,
): Promise<boolean> {
  const rows = await db`
    update sessions set sandbox_state = ${db.json(sandboxState)}::jsonb - 'expiresAt', lifecycle_error = ${text},
      lifecycle_version = lifecycle_version + 1
    where id = ${id} and lifecycle_version = ${lifecycleVersion} and lifecycle_state = 'archived' returning 1`
  return rows.length === 1
}

export async function bindWorkspace(db: Db, id: string, workspace: Workspace): Promise<void> {
  await db`
    update sessions set repo_owner = ${workspace.repoOwner}, repo_name = ${workspace.repoName},
      clone_url = ${workspace.cloneUrl}
    where id = ${id} and clone_url is null`
}

export async function saveWorkspace(db: Db, ownerId: string, workspace: Workspace): Promise<void> {
  await db`
    insert into workspace_repositories (owner_id, repo_owner, repo_name, clone_url)
    values (${ownerId}, ${workspace.repoOwner}, ${workspace.repoName}, ${workspace.cloneUrl})
    on conflict (owner_id) do update
    set repo_owner = excluded.repo_owner, repo_name = excluded.repo_name, clone_url = excluded.clone_url`
}

/** Returns the name and first address of an account, for commits. */
export async function findAuthor(db: Db, accountId: string): Promise<{ name: string | null; email: string | null }> {
  const [row] = await db<{ name: string | null; email: string | null }[]>`
    select name, (
      select email from account_emails where account_id = accounts.id order by created_at, id limit 1
    ) as email
    from accounts where id = ${accountId}`
  return row ?? { name: null, email: null }
}

/** Returns archived sessions whose sandbox is still running. */
export function listUnstopped(db: Db, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from sessions
    where lifecycle_state = 'archived' and sandbox_state ? 'expiresAt'
      and ${pageClause(db, page)}`
}

/** Changes sessions that a lost worker has left in the state `restoring` for five minutes to `hibernated`. */
export async function releaseRestoring(db: Db): Promise<void> {
  await db`
    update sessions set lifecycle_state = 'hibernated', lifecycle_version = lifecycle_version + 1
    where lifecycle_state = 'restoring' and updated_at < now() - interval '5 minutes'`
}
