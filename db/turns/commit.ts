import { isDeepStrictEqual } from 'node:util'
import { storableText } from '../../domain/fields/storable.ts'
import { commitFrame, pendingCommit, type CommitData, type CommitError } from '../../domain/repositories/commits.ts'
import type { LeftOut } from '../../domain/repositories/left-out.ts'
import { fileTools } from '../../domain/tools/turn-tools.ts'
import type { IndexedFrame } from '../../domain/log/fold.ts'
import type { Frame } from '../../domain/log/frames.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { appendLocked, lockStream, saveHead } from '../log/stream.ts'
import { StaleWriterError } from '../log/writer.ts'

/** State of a run's commit in the repository of its session. */
export type TurnCommit = {
  runId: string
  sessionId: string
  assistantMessageId: string
  state: 'clean' | 'pending' | 'done'
  changed: boolean
  isGitless: boolean
  head: string | null
  branch: string | null
  stagedDiff: string | null
  message: string | null
  commitSha: string | null
  committed: boolean
  pushed: boolean
  leftOut: LeftOut | null
}

export async function findCommit(db: Db, runId: string): Promise<TurnCommit | undefined> {
  const [commit] = await db<TurnCommit[]>`
    select ${columns(db)} from turn_commits join runs on runs.id = run_id where run_id = ${runId}`
  return commit
}

/** Returns an announced commit. Throws `StaleWriterError` when the log is closed. */
export async function readOpenCommit(db: Db, runId: string): Promise<TurnCommit> {
  const [commit] = await db<TurnCommit[]>`
    select ${columns(db)} from turn_commits join runs on runs.id = run_id join stream_head using (run_id)
    where run_id = ${runId} and stream_head.state = 'open'`
  if (commit === undefined) throw new StaleWriterError('the log is closed')
  return commit
}

export type NewCommit = {
  runId: string
  sessionId: string
  assistantMessageId: string
  changed: boolean
  isGitless: boolean
  head: string | null
  branch: string | null
  stagedDiff: string
  leftOut: LeftOut
}

/** Announces the commit in the log, once. Throws `StaleWriterError` when the log is closed. */
export async function announceCommit(tx: Tx, commit: NewCommit): Promise<void> {
  const head = await lockStream(tx, commit.runId)
  if (head?.state !== 'open') throw new StaleWriterError('the log is closed')
  const inserted = await tx`
    insert into turn_commits (run_id, session_id, state, changed, is_plain, head, branch, staged_diff, left_out)
    values (${commit.runId}, ${commit.sessionId}, 'pending', ${commit.changed}, ${commit.isGitless}, ${commit.head},
      ${commit.branch}, ${commit.stagedDiff}, ${toStoredLeftOut(tx, commit.leftOut)})
    on conflict do nothing returning 1`
  if (inserted.length === 0) return
  await appendLocked(tx, head, [JSON.stringify(commitFrame(commit.assistantMessageId, pendingCommit))])
  await saveHead(tx, head)
}

/** Records that there is nothing to commit and nothing to push. */
export async function recordClean(
  db: Db,
  { runId, sessionId, leftOut }: { runId: string; sessionId: string; leftOut: LeftOut },
): Promise<void> {
  await db`
    insert into turn_commits (run_id, session_id, state, settled_at, left_out)
    values (${runId}, ${sessionId}, 'clean', now(), ${toStoredLeftOut(db, leftOut)})
    on conflict do nothing`
}

/** Returns whether the latest commit of the session omitted the same paths. */
export async function isLeftOutKnown(db: Db, sessionId: string, leftOut: LeftOut): Promise<boolean> {
  const [latest] = await db<{ leftOut: LeftOut | null }[]>`
    select left_out from turn_commits where session_id = ${sessionId} order by created_at desc limit 1`
  return isDeepStrictEqual(latest?.leftOut?.paths ?? [], leftOut.paths)
}

export async function saveMessage(db: Db, runId: string, message: string): Promise<void> {
  await db`update turn_commits set message = ${message}, staged_diff = null where run_id = ${runId} and message is null`
}

export async function saveCommitted(
  db: Db,
  runId: string,
  { commit, committed, leftOut }: { commit: string; committed: boolean; leftOut: LeftOut },
): Promise<void> {
  await db`
    update turn_commits
    set commit_sha = ${commit}, committed = committed or ${committed}, staged_diff = null,
      left_out = ${toStoredLeftOut(db, leftOut)}
    where run_id = ${runId} and state = 'pending'`
}

/** Records that the files of a sandbox without git match `commit`. `base`: see `saveRebased`. */
export async function saveSyncedCommit(
  db: Db,
  runId: string,
  step: { commit: string; base: string | undefined; sourceBase: string | undefined },
): Promise<void> {
  await db`
    update turn_commits
    set committed = true, commit_sha = ${step.commit}, base_commit = ${step.base ?? null},
      source_base = ${step.sourceBase ?? null}
    where run_id = ${runId} and state = 'pending'`
}

/** Returns the commit that the files of a sandbox without git last matched; undefined while they match their initial commit. */
export async function findSyncedCommit(
  db: Db,
  sessionId: string,
  sourceBase: string | undefined,
): Promise<string | undefined> {
  const [row] = await db<{ commit: string }[]>`
    select commit_sha as commit from turn_commits
    where session_id = ${sessionId} and is_plain and committed and commit_sha is not null
      and source_base is not distinct from ${sourceBase ?? null}
    order by created_at desc limit 1`
  return row?.commit
}

/** Commit of a session that its code host has. */
export type PushedCommit = { branch: string; commit: string }

/** Returns the last commit of a session that was pushed after a time (epoch ms). */
export async function findPushedCommit(db: Db, sessionId: string, after: number): Promise<PushedCommit | undefined> {
  const [row] = await db<PushedCommit[]>`
    select branch, commit_sha as commit from turn_commits
    where session_id = ${sessionId} and pushed and settled_at > to_timestamp(${after / 1000}::float8)
      and branch is not null and commit_sha is not null
    order by created_at desc limit 1`
  return row
}

/** Records that the branch was rebased onto the remote's `base`, which becomes the base of its diff. */
export async function saveRebased(
  db: Db,
  runId: string,
  rebased: { commit: string; base: string; sourceBase: string | undefined },
): Promise<void> {
  await db`
    update turn_commits
    set commit_sha = ${rebased.commit}, base_commit = ${rebased.base}, source_base = ${rebased.sourceBase ?? null}
    where run_id = ${runId}`
}

export type CommitResult = {
  status: 'success' | 'error' | 'skipped'
  pushed: boolean
  commitSha?: string | undefined
  url?: string | undefined
  error?: CommitError | undefined
}

/** Stores the result of a commit in the log and its row, once. Throws `StaleWriterError` when the log is closed. */
export async function settleCommit(tx: Tx, runId: string, result: CommitResult): Promise<void> {
  const head = await lockStream(tx, runId)
  if (head?.state !== 'open') throw new StaleWriterError('the log is closed')
  const ended = await endCommit(tx, runId, result)
  if (ended === undefined) return
  await appendLocked(tx, head, [JSON.stringify(commitFrame(ended.assistantMessageId, toCommitData(ended, result)))])
  await saveHead(tx, head)
}

/** Ends a commit that was pending when its turn ended, and returns its frames. Call it in the finalize transaction. */
export async function closeCommit(tx: Tx, runId: string, frames: IndexedFrame[]): Promise<Frame[]> {
  const commitFrames = frames.filter(({ frame }) => frame.type === 'data-commit')
  if (commitFrames.length !== 1) return []
  const [row] = await tx<{ committed: boolean; pushed: boolean }[]>`
    select committed, pushed from turn_commits where run_id = ${runId} and state = 'pending' for update`
  if (row === undefined) return []
  const error = row.committed ? 'Push failed' : 'Commit failed'
  const result = { status: 'error', pushed: row.pushed, error } as const
  const ended = await endCommit(tx, runId, result)
  return ended === undefined ? [] : [commitFrame(ended.assistantMessageId, toCommitData(ended, result))]
}

const maxRecentRuns = 20

/**
 * Returns whether a commit is due: this run restored files, or a recent run of the session restored files or used a
 * tool that may change files after the last successful commit.
 */
export async function isCommitDue(db: Db, runId: string): Promise<boolean> {
  const [row] = await db<{ owes: boolean }[]>`
    with recent as (
      -- With two subqueries the index returns the latest runs only; a join would read every run of the session.
      select id, created_at from runs
      where session_id = (select session_id from runs where id = ${runId})
        and created_at < (select created_at from runs where id = ${runId})
      order by created_at desc limit ${maxRecentRuns}
    ), settled as (
      select max(created_at) as at from recent
      where id in (select run_id from turn_commits where settled_at is not null)
    )
    select exists (
      select 1 from recent, settled
      where (settled.at is null or recent.created_at > settled.at) and (
        exists (
          select 1 from run_tool_calls
          where run_id = recent.id and started_at is not null and tool_name = any(${fileTools}::text[])
        )
        or exists (select 1 from chat_branches where run_id = recent.id and restore_state = 'restored')
      )
    ) or exists (select 1 from chat_branches where run_id = ${runId} and restore_state = 'restored') as owes`
  return row?.owes ?? false
}

function columns(db: Db) {
  return db`
  turn_commits.run_id, turn_commits.session_id, runs.assistant_message_id, turn_commits.state, changed, is_plain as is_gitless,
  head, branch, staged_diff, message, commit_sha, committed, pushed, left_out`
}

function toStoredLeftOut(db: Db, { count, paths }: LeftOut) {
  return count === 0
    ? null
    : db.json({ count, paths: paths.map(({ path, reason }) => ({ path: storableText(path), reason })) })
}

async function endCommit(tx: Tx, runId: string, result: CommitResult): Promise<TurnCommit | undefined> {
  const [ended] = await tx<TurnCommit[]>`
    with ended as (
      update turn_commits set state = 'done', pushed = ${result.pushed}, error = ${result.error ?? null},
        commit_sha = coalesce(${result.commitSha ?? null}, commit_sha), staged_diff = null,
        settled_at = case when ${result.status === 'success'} then now() end
      where run_id = ${runId} and state = 'pending' returning *
    )
    select ${columns(tx)} from ended as turn_commits join runs on runs.id = run_id`
  return ended
}

/** Converts the result to the format of the log. A push without a new commit has no generated message. */
function toCommitData(commit: TurnCommit, { status, pushed, commitSha, url, error }: CommitResult): CommitData {
  const sha = commitSha ?? commit.commitSha
  return {
    status,
    committed: commit.committed,
    pushed,
    ...(commit.committed && commit.message !== null && { commitMessage: commit.message }),
    ...(sha !== null && { commitSha: sha }),
    ...(pushed && url !== undefined && { url }),
    ...(error !== undefined && { error }),
    ...(commit.leftOut !== null && { leftOut: commit.leftOut }),
  }
}
