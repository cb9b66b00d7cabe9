import { branchFrame, type FilesOutcome } from '../../domain/chat/branches.ts'
import type { RestoreGoal } from '../sessions/branches.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { appendLocked, lockStream, saveHead } from '../log/stream.ts'
import { StaleWriterError } from '../log/writer.ts'

/** Returns the last commit of a turn that ended before a time, or else the initial commit of the session's files. */
export async function findCommitBefore(tx: Tx, sessionId: string, before: Date): Promise<RestoreGoal | undefined> {
  const [row] = await tx<{ made: string | null; began: string | null }[]>`
    select sandbox_state -> 'source' ->> 'baseCommit' as began, (
      select commit_sha from turn_commits join runs on runs.id = turn_commits.run_id
      where turn_commits.session_id = sessions.id and commit_sha is not null and runs.ended_at <= ${before}
      order by turn_commits.created_at desc limit 1
    ) as made
    from sessions where id = ${sessionId}`
  if (row?.made) return { commit: row.made }
  return row?.began ? { commit: row.began, before } : undefined
}

/** The files to restore before the first step of a turn. */
export type Restore = RestoreGoal & { sessionId: string }

/** Returns the pending restore of a run, if any. Throws `StaleWriterError` when the log is closed. */
export async function findOpenRestore(db: Db, runId: string): Promise<Restore | undefined> {
  const [row] = await db<
    { state: string; sessionId: string; commit: string | null; before: Date | null; log: string }[]
  >`
    select restore_state as state, session_id, restore_commit as commit, restore_before as before, stream_head.state as log
    from chat_branches join runs on runs.id = run_id join stream_head on stream_head.run_id = runs.id
    where chat_branches.run_id = ${runId}`
  if (row !== undefined && row.log !== 'open') throw new StaleWriterError('the log is closed')
  if (row?.state !== 'restoring' || row.commit === null) return undefined
  return { sessionId: row.sessionId, commit: row.commit, ...(row.before !== null && { before: row.before }) }
}

/** Stores the outcome of a restore in its row and the log, once. Throws `StaleWriterError` when the log is closed. */
export async function settleRestore(tx: Tx, runId: string, state: 'restored' | 'kept'): Promise<void> {
  const head = await lockStream(tx, runId)
  if (head?.state !== 'open') throw new StaleWriterError('the log is closed')
  const [branch] = await tx<{ id: string; versionOf: string; commit: string; assistantMessageId: string }[]>`
    update chat_branches set restore_state = ${state}
    from runs
    where run_id = ${runId} and runs.id = run_id and restore_state = 'restoring'
    returning chat_branches.id, version_of, restore_commit as commit, assistant_message_id`
  if (branch === undefined) return
  const { id: branchId, versionOf, commit, assistantMessageId } = branch
  const outcome: FilesOutcome = state === 'restored' ? { files: state, commit } : { files: state }
  await appendLocked(tx, head, [JSON.stringify(branchFrame(assistantMessageId, { branchId, versionOf, ...outcome }))])
  await saveHead(tx, head)
}
