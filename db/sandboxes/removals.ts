import { buildSandboxName } from '../../domain/sandboxes/places.ts'
import type { StoredSandboxState } from '../../domain/sessions/sessions.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'

/** Maximum duration of a sandbox start after its session was deleted or archived. */
const maxStartSeconds = 15 * 60

type RemovedSession = { id: string; sandboxState: StoredSandboxState | null }

/** Queues the removal of a deleted session's sandbox, even if the session has no sandbox yet. */
export async function queueRemoval(tx: Tx, session: RemovedSession): Promise<void> {
  const state = toSandboxState(session)
  await tx`
    insert into sandbox_removals (sandbox_name, state) values (${state.sandboxName}, ${tx.json(state)})
    on conflict (sandbox_name) do update set state = excluded.state, created_at = now(), due_at = now()`
}

/**
 * Queues a removal for a session that is archived before it has a sandbox. It is due once any sandbox start in progress
 * must have ended.
 */
export async function queueLateRemoval(tx: Tx, id: string): Promise<void> {
  const state = toSandboxState({ id, sandboxState: null })
  await tx`
    insert into sandbox_removals (sandbox_name, state, due_at)
    values (${state.sandboxName}, ${tx.json(state)}, now() + make_interval(secs => ${maxStartSeconds}::float8))
    on conflict (sandbox_name) do update set created_at = now(), due_at = excluded.due_at`
}

/** Returns the names of the sandboxes to remove. */
export function listRemovals(db: Db, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select sandbox_name as id from sandbox_removals
    where due_at <= now() and ${pageClause(db, page, 'sandbox_name')}`
}

/**
 * Returns a queued removal. `isKept`: whether the session still uses the sandbox or can create it, because it was
 * unarchived.
 */
export async function findRemoval(
  db: Db,
  sandboxName: string,
): Promise<{ state: StoredSandboxState; isKept: boolean } | undefined> {
  const [row] = await db<{ state: StoredSandboxState; isKept: boolean }[]>`
    select state, exists (
      select 1 from sessions
      where id = case when sandbox_name ~ '^session-[0-9a-f-]{36}$' then substr(sandbox_name, 9)::uuid end
        and (lifecycle_state is distinct from 'archived' or sandbox_state is not null)
    ) as is_kept
    from sandbox_removals where sandbox_name = ${sandboxName}`
  return row
}

export async function deleteRemoval(db: Db, sandboxName: string): Promise<void> {
  await db`delete from sandbox_removals where sandbox_name = ${sandboxName}`
}

/**
 * Records that the sandbox was removed. While a start in progress may still create it, schedules a second removal;
 * afterwards, deletes the row.
 */
export async function settleRemoval(db: Db, sandboxName: string): Promise<void> {
  const [rescheduled] = await db`
    update sandbox_removals set due_at = created_at + make_interval(secs => ${maxStartSeconds}::float8)
    where sandbox_name = ${sandboxName} and created_at > now() - make_interval(secs => ${maxStartSeconds}::float8)
    returning 1`
  if (rescheduled === undefined) await deleteRemoval(db, sandboxName)
}

/** Returns the state of the session's sandbox, or a state with the name that a start in progress uses. */
function toSandboxState({ id, sandboxState }: RemovedSession): StoredSandboxState {
  return sandboxState ?? { type: 'unknown', sandboxName: buildSandboxName(id) }
}
