import type { Inherited } from '../../domain/runs/origin.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'

export type RunStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

/** A chat run. `contextLimit` is in tokens. */
export type Run = {
  id: string
  accountId: string
  sessionId: string
  chatId: string
  assistantMessageId: string
  status: RunStatus
  headless: boolean
  source: 'web' | 'api'
  modelId: string
  contextLimit: number | null
  stopRequestedAt: Date | null
  engineStartedAt: Date | null
  startedAt: Date | null
  createdAt: Date
  /** The background run that ends with this run. */
  backgroundRunId: string | null
  /** Set for a run that was accepted with the key of another run. */
  inherited: Inherited | null
}

export function isLive(status: RunStatus): boolean {
  return status === 'queued' || status === 'running'
}

export function columns(db: Db) {
  return db`
  id, account_id, session_id, chat_id, assistant_message_id, status, headless, source, model_id, context_limit,
  stop_requested_at, engine_started_at, started_at, created_at, background_run_id, inherited`
}

export async function findRun(db: Db, id: string): Promise<Run | undefined> {
  const [run] = await db<Run[]>`select ${columns(db)} from runs where id = ${id}`
  return run
}

export async function readRun(db: Db, id: string): Promise<Run> {
  const run = await findRun(db, id)
  if (run === undefined) throw new Error(`run ${id} does not exist`)
  return run
}

export async function lockRun(tx: Tx, id: string): Promise<Run | undefined> {
  const [run] = await tx<Run[]>`select ${columns(tx)} from runs where id = ${id} for update`
  return run
}

export function listLiveRuns(
  db: Db,
  owner: { sessionId: string } | { chatId: string },
): Promise<{ id: string; chatId: string }[]> {
  return db<{ id: string; chatId: string }[]>`
    select id, chat_id from runs
    where status in ('queued', 'running')
      and ${'chatId' in owner ? db`chat_id = ${owner.chatId}` : db`session_id = ${owner.sessionId}`}`
}

/** Returns the statuses of many runs with one query. */
export function listStatuses(db: Db, ids: string[]): Promise<{ id: string; status: RunStatus }[]> {
  return db<{ id: string; status: RunStatus }[]>`select id, status from runs where id = any(${ids}::text[])`
}

/** Returns the index of the first frame that is not yet part of the stored message. */
export async function readFoldedSeq(db: Db, runId: string): Promise<number> {
  const [row] = await db<{ foldedSeq: number }[]>`
    select folded_seq from stream_head where run_id = ${runId}`
  return row?.foldedSeq ?? 0
}

/** Records that Temporal has the workflow of the run, so that it is not started again. */
export async function markEngineStarted(db: Db, id: string): Promise<void> {
  await db`update runs set engine_started_at = now() where id = ${id} and engine_started_at is null`
}

export async function markStopDelivered(db: Db, id: string): Promise<void> {
  await db`update runs set stop_delivered_at = now() where id = ${id}`
}

/** Moves a run from queued to running. Returns false when the run has ended or a stop was recorded. */
export async function advanceRun(db: Db, id: string): Promise<boolean> {
  const rows = await db`
    update runs set status = 'running', started_at = coalesce(started_at, now()),
      engine_started_at = coalesce(engine_started_at, now())
    where id = ${id} and status in ('queued', 'running') and stop_requested_at is null
    returning 1`
  return rows.length === 1
}

type UnstartedRun = { id: string; headless: boolean; bounded: boolean; restoresFiles: boolean }

/**
 * Returns accepted runs that never reached Temporal. A headless run is due once it is admitted. `minAgeMs` leaves time for
 * the process that starts it.
 */
export function listUnstarted(db: Db, minAgeMs: number, page: IdPage): Promise<UnstartedRun[]> {
  return db<UnstartedRun[]>`
    select id, headless, inherited is not null as bounded, exists (
      select 1 from chat_branches where run_id = runs.id and restore_state = 'restoring'
    ) as restores_files
    from runs
    where status = 'queued' and engine_started_at is null
      and case when headless then placed_at else created_at end
        < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and ${pageClause(db, page)}`
}

/** Returns runs whose recorded stop was not delivered to Temporal. */
export function listUndeliveredStops(
  db: Db,
  minAgeMs: number,
  page: IdPage,
): Promise<{ id: string; engineStartedAt: Date | null }[]> {
  return db<{ id: string; engineStartedAt: Date | null }[]>`
    select id, engine_started_at from runs
    where stop_requested_at < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and stop_delivered_at is null and status in ('queued', 'running')
      and ${pageClause(db, page)}`
}

/** Returns live runs whose workflow started at least 10 seconds ago. */
export function listStartedLive(db: Db, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from runs
    where status in ('queued', 'running') and engine_started_at < now() - interval '10 seconds'
      and ${pageClause(db, page)}`
}

/** Returns started runs without a running activity, which are between two steps, waiting for a retry, or stuck in Temporal. */
export function listRunsWithoutActivity(db: Db, page: IdPage): Promise<{ id: string; restarts: number }[]> {
  return db<{ id: string; restarts: number }[]>`
    select r.id, r.restarts from runs r join stream_head h on h.run_id = r.id
    where (r.status = 'running' or r.status = 'queued' and r.engine_started_at < now() - interval '10 seconds')
      and h.holder is null
      and not exists (select 1 from run_tool_calls t where t.run_id = r.id and t.holder is not null)
      and not exists (select 1 from run_sub_agent_steps s where s.run_id = r.id and s.holder is not null)
      and not exists (select 1 from run_sub_agent_calls c where c.run_id = r.id and c.holder is not null)
      and ${pageClause(db, page, 'r.id')}`
}

/** Counts a restart of a live run's workflow. Undefined when another process restarted it, or the run has ended. */
export async function countRestart(db: Db, id: string, restarts: number): Promise<number | undefined> {
  const [row] = await db<{ restarts: number }[]>`
    update runs set restarts = restarts + 1
    where id = ${id} and restarts = ${restarts} and status in ('queued', 'running') returning restarts`
  return row?.restarts
}

/** Returns started runs that are still live `ageMs` after their start. */
export function listOverlong(db: Db, ageMs: number, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from runs
    where status = 'running' and started_at < now() - make_interval(secs => ${ageMs / 1000}::float8)
      and ${pageClause(db, page)}`
}

/** Returns the runs that ended at least `minAgeMs` ago, with the time since their end, and those that were deleted, with null. */
export function listLongEnded(
  db: Db,
  ids: string[],
  minAgeMs: number,
): Promise<{ id: string; endedAgoMs: number | null }[]> {
  return db<{ id: string; endedAgoMs: number | null }[]>`
    select open.id, (extract(epoch from now() - ended_at) * 1000)::float8 as ended_ago_ms
    from unnest(${ids}::text[]) as open (id) left join runs on runs.id = open.id
    where runs.id is null or ended_at < now() - make_interval(secs => ${minAgeMs / 1000}::float8)`
}

/** Releases the chat slots of ended or deleted runs. Returns the number of released slots. */
export async function releaseDeadSlots(db: Db): Promise<number> {
  const rows = await db`
    update chats c set active_stream_id = null
    where c.active_stream_id is not null
      and not exists (
        select 1 from runs r where r.id = c.active_stream_id and r.status in ('queued', 'running')
      )
    returning 1`
  return rows.length
}
