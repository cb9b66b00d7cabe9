import type { Db } from '../postgres/client.ts'

/** Base of a session's diff, and the commit of the last diff. */
export type DiffState = {
  baseCommit: string | null
  branch: string | null
  diffCommit: string | null
}

/**
 * Returns the base and the commit of the last diff. The base is the sandbox's initial commit, or the commit onto which it
 * was last rebased.
 */
export async function findDiffState(db: Db, sessionId: string): Promise<DiffState | undefined> {
  const [row] = await db<DiffState[]>`
    select branch, diff_commit, coalesce((
        select base_commit from turn_commits
        where session_id = sessions.id and base_commit is not null
          and source_base is not distinct from sandbox_state -> 'source' ->> 'baseCommit'
        order by created_at desc limit 1
      ), sandbox_state -> 'source' ->> 'baseCommit') as base_commit
    from sessions where id = ${sessionId}`
  return row
}

export type ComputedDiff = {
  diff: { summary: { totalAdditions: number; totalDeletions: number } }
  branch: string | null
  /** The current commit; null with uncommitted changes. */
  commit: string | null
  /** The run after which the diff was computed. */
  runId?: string
}

export async function saveDiff(db: Db, sessionId: string, computed: ComputedDiff): Promise<void> {
  const { diff, branch, commit, runId } = computed
  await db`
    update sessions set cached_diff = ${JSON.stringify(diff)}::text::jsonb, cached_diff_updated_at = now(),
      lines_added = ${diff.summary.totalAdditions}, lines_removed = ${diff.summary.totalDeletions},
      is_new_branch = is_new_branch and branch is not distinct from coalesce(${branch}, branch),
      branch = coalesce(${branch}, branch), diff_commit = ${commit}, diff_run_id = ${runId ?? null}
    where id = ${sessionId}`
}

/** Records that the stored diff was still current at the end of this run. */
export async function confirmDiff(db: Db, sessionId: string, runId: string): Promise<void> {
  await db`update sessions set diff_run_id = ${runId} where id = ${sessionId} and cached_diff is not null`
}

/** Records that the session created and pushed this branch. */
export async function markNewBranch(db: Db, sessionId: string, branch: string): Promise<void> {
  await db`update sessions set branch = ${branch}, is_new_branch = true where id = ${sessionId}`
}
