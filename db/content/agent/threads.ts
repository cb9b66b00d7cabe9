import type { RunOutcome } from '../../../domain/content/agent/callback.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { pageClause, type IdPage } from '../../postgres/id-pages.ts'

export type ContentThread = {
  threadId: string
  accountId: string
  state: 'running' | 'posting' | RunOutcome
  runIds: string[]
  /** The background run that polls the runs of `runIds`. */
  pollRunId: string
}

/** Locks the thread until the transaction ends. Returns whether a round of videos is in progress. */
export async function lockThread(tx: Tx, threadId: string): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`thread ${threadId}`}, 0))`
  const [thread] = await tx<Pick<ContentThread, 'state'>[]>`
    select state from content_threads where thread_id = ${threadId} for update`
  return thread?.state === 'running' || thread?.state === 'posting'
}

/** Returns the thread and locks it until the transaction ends. Undefined for an unknown thread. */
export async function findThread(tx: Tx, threadId: string): Promise<ContentThread | undefined> {
  const [thread] = await tx<ContentThread[]>`
    select thread_id, account_id, state, to_json(run_ids) as run_ids, poll_run_id
    from content_threads where thread_id = ${threadId} for update`
  return thread
}

export type NewThread = Pick<ContentThread, 'threadId' | 'accountId' | 'runIds' | 'pollRunId'> & {
  artistId: string
  template: string
  lipsync: boolean
}

/** Starts a round of videos in a thread, which may have had earlier rounds. */
export async function beginThread(tx: Tx, thread: NewThread): Promise<void> {
  const { threadId, accountId, artistId, template, lipsync, runIds, pollRunId } = thread
  await tx`
    insert into content_threads
      (thread_id, account_id, state, artist_account_id, template, lipsync, batch, run_ids, poll_run_id)
    values (${threadId}, ${accountId}, 'running', ${artistId}, ${template}, ${lipsync}, ${runIds.length},
      ${runIds}::text[], ${pollRunId})
    on conflict (thread_id) do update set account_id = excluded.account_id, state = 'running', outcome = null,
      artist_account_id = excluded.artist_account_id, template = excluded.template, lipsync = excluded.lipsync,
      batch = excluded.batch, run_ids = excluded.run_ids, poll_run_id = excluded.poll_run_id`
}

/**
 * Changes the state from `running` to `posting` and returns the thread. Undefined when the thread is not running, or when
 * `runIds` is not empty and contains none of its runs.
 */
export async function claimThread(
  tx: Tx,
  threadId: string,
  { outcome, runIds }: { outcome: RunOutcome; runIds: readonly string[] },
): Promise<ContentThread | undefined> {
  const [thread] = await tx<ContentThread[]>`
    update content_threads set state = 'posting', outcome = ${outcome}
    where thread_id = ${threadId} and state = 'running'
      and (${runIds.length} = 0 or run_ids && ${[...runIds]}::text[])
    returning thread_id, account_id, state, to_json(run_ids) as run_ids, poll_run_id`
  return thread
}

/** Changes the state from `posting` to the outcome once the thread has no waiting posts. */
export async function settleThread(db: Db, threadId: string): Promise<void> {
  await db`
    update content_threads set state = outcome where thread_id = ${threadId} and state = 'posting'
      and not exists (select 1 from chat_posts where thread_id = ${threadId} and state = 'waiting')`
}

/** Returns the poll of a running thread that waits for this run. */
export async function findWaitingPoll(db: Db, runId: string): Promise<string | undefined> {
  const [thread] = await db<{ pollRunId: string }[]>`
    select poll_run_id from content_threads where state = 'running' and run_ids @> ${[runId]}::text[]`
  return thread?.pollRunId
}

/**
 * Returns running threads whose poll ended without a report, if all runs of the thread have ended or the poll ended at least
 * 30 minutes ago.
 */
export function listThreadsLeftBehind(db: Db, page: IdPage): Promise<{ id: string; pollRunId: string }[]> {
  return db<{ id: string; pollRunId: string }[]>`
    select thread.thread_id as id, thread.poll_run_id
    from content_threads thread join background_runs run on run.id = thread.poll_run_id
    where thread.state = 'running' and run.finished_at is not null
      and (
        run.finished_at < now() - interval '30 minutes'
        or not exists (select 1 from background_runs made where made.id = any(thread.run_ids) and made.finished_at is null)
      )
      and ${pageClause(db, page, 'thread.thread_id')}`
}
