import type { Db, Tx } from '../postgres/client.ts'
import type { IdPage } from '../postgres/id-pages.ts'

export type RunStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

/** One chat run. Times are Dates; `contextLimit` is in tokens. */
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
  /** The background run that ends with this one. */
  backgroundRunId: string | null
}

export const isLive = (status: RunStatus): boolean => status === 'queued' || status === 'running'

export const columns = (db: Db) => db`
  id, account_id as "accountId", session_id as "sessionId", chat_id as "chatId",
  assistant_message_id as "assistantMessageId", status, headless, source, model_id as "modelId",
  context_limit as "contextLimit", stop_requested_at as "stopRequestedAt", engine_started_at as "engineStartedAt",
  started_at as "startedAt", created_at as "createdAt", background_run_id as "backgroundRunId"`

export const findRun = async (db: Db, id: string): Promise<Run | undefined> => {
  const [run] = await db<Run[]>`select ${columns(db)} from runs where id = ${id}`
  return run
}

export const readRun = async (db: Db, id: string): Promise<Run> => {
  const run = await findRun(db, id)
  if (run === undefined) throw new Error(`run ${id} does not exist`)
  return run
}

export const lockRun = async (tx: Tx, id: string): Promise<Run | undefined> => {
  const [run] = await tx<Run[]>`select ${columns(tx)} from runs where id = ${id} for update`
  return run
}

export const listLiveRuns = (
  db: Db,
  owner: { sessionId: string } | { chatId: string },
): Promise<{ id: string; chatId: string }[]> =>
  db<{ id: string; chatId: string }[]>`
    select id, chat_id as "chatId" from runs
    where status in ('queued', 'running')
      and ${'chatId' in owner ? db`chat_id = ${owner.chatId}` : db`session_id = ${owner.sessionId}`}`

/** Statuses of many runs in one query. */
export const listStatuses = (db: Db, ids: string[]): Promise<{ id: string; status: RunStatus }[]> =>
  db<{ id: string; status: RunStatus }[]>`select id, status from runs where id = any(${ids}::text[])`

/** Index of the first frame whose content is not yet in the stored message. */
export const foldedSeq = async (db: Db, runId: string): Promise<number> => {
  const [row] = await db<{ foldedSeq: number }[]>`
    select folded_seq as "foldedSeq" from stream_head where run_id = ${runId}`
  return row?.foldedSeq ?? 0
}

/** The engine has the run: nobody needs to start it again. */
export const markEngineStarted = async (db: Db, id: string): Promise<void> => {
  await db`update runs set engine_started_at = now() where id = ${id} and engine_started_at is null`
}

export const markStopDelivered = async (db: Db, id: string): Promise<void> => {
  await db`update runs set stop_delivered_at = now() where id = ${id}`
}

/** queued to running; false when the run has ended or a stop was recorded. */
export const advanceRun = async (db: Db, id: string): Promise<boolean> => {
  const rows = await db`
    update runs set status = 'running', started_at = coalesce(started_at, now()),
      engine_started_at = coalesce(engine_started_at, now())
    where id = ${id} and status in ('queued', 'running') and stop_requested_at is null
    returning 1`
  return rows.length === 1
}

/**
 * Records the stop and closes the log to every writer but the finaliser, in one transaction.
 * Answers the run as it is under its lock; undefined when it does not exist.
 */
export const requestStop = async (tx: Tx, id: string): Promise<Run | undefined> => {
  // Every writer locks the log before the run: the same order here, or two of them could wait for each other.
  await tx`select 1 from stream_head where run_id = ${id} for update`
  const run = await lockRun(tx, id)
  if (run === undefined || !isLive(run.status)) return run
  await tx`update runs set stop_requested_at = coalesce(stop_requested_at, now()) where id = ${id}`
  await tx`update stream_head set state = 'stopping' where run_id = ${id} and state = 'open'`
  return run
}

/** Runs that were accepted and never reached the engine. `minAgeMs` leaves the accepting request its own try. */
export const listUnstarted = (
  db: Db,
  minAgeMs: number,
  { after, limit }: IdPage,
): Promise<{ id: string; headless: boolean }[]> =>
  db<{ id: string; headless: boolean }[]>`
    select id, headless from runs
    where status = 'queued' and engine_started_at is null
      and created_at < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and (${after ?? null}::text is null or id > ${after ?? null}::text)
    order by id limit ${limit}`

/** Runs whose stop was recorded and not yet told to the engine. */
export const listUndeliveredStops = (
  db: Db,
  minAgeMs: number,
  { after, limit }: IdPage,
): Promise<{ id: string; engineStartedAt: Date | null }[]> =>
  db<{ id: string; engineStartedAt: Date | null }[]>`
    select id, engine_started_at as "engineStartedAt" from runs
    where stop_requested_at < now() - make_interval(secs => ${minAgeMs / 1000}::float8)
      and stop_delivered_at is null and status in ('queued', 'running')
      and (${after ?? null}::text is null or id > ${after ?? null}::text)
    order by id limit ${limit}`

/** Live runs that the engine should know about. */
export const listStartedLive = (db: Db, { after, limit }: IdPage): Promise<{ id: string }[]> =>
  db<{ id: string }[]>`
    select id from runs
    where status in ('queued', 'running') and engine_started_at < now() - interval '10 seconds'
      and (${after ?? null}::text is null or id > ${after ?? null}::text)
    order by id limit ${limit}`

/** Begun runs that no activity has in hand: between two steps, waiting for a retry, or stuck in the engine. */
export const listUnheld = (db: Db, { after, limit }: IdPage): Promise<{ id: string; restarts: number }[]> =>
  db<{ id: string; restarts: number }[]>`
    select r.id, r.restarts from runs r join stream_head h on h.run_id = r.id
    where (r.status = 'running' or r.status = 'queued' and r.engine_started_at < now() - interval '10 seconds')
      and h.holder is null
      and not exists (select 1 from run_tool_calls t where t.run_id = r.id and t.holder is not null)
      and not exists (select 1 from run_sub_agent_steps s where s.run_id = r.id and s.holder is not null)
      and not exists (select 1 from run_sub_agent_calls c where c.run_id = r.id and c.holder is not null)
      and (${after ?? null}::text is null or r.id > ${after ?? null}::text)
    order by r.id limit ${limit}`

/** Counts that the workflow of a live run is begun anew; undefined when somebody else did that, or the run has ended. */
export const countRestart = async (db: Db, id: string, restarts: number): Promise<number | undefined> => {
  const [row] = await db<{ restarts: number }[]>`
    update runs set restarts = restarts + 1
    where id = ${id} and restarts = ${restarts} and status in ('queued', 'running') returning restarts`
  return row?.restarts
}

/** Begun runs that are still live so long after they began. */
export const listOverlong = (db: Db, ageMs: number, { after, limit }: IdPage): Promise<{ id: string }[]> =>
  db<{ id: string }[]>`
    select id from runs
    where status = 'running' and started_at < now() - make_interval(secs => ${ageMs / 1000}::float8)
      and (${after ?? null}::text is null or id > ${after ?? null}::text)
    order by id limit ${limit}`

/** Of these runs the ones that ended a while ago, or are gone. */
export const listLongEnded = async (db: Db, ids: string[], minAgeMs: number): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    select open.id from unnest(${ids}::text[]) as open (id) left join runs on runs.id = open.id
    where runs.id is null or ended_at < now() - make_interval(secs => ${minAgeMs / 1000}::float8)`
  return rows.map(({ id }) => id)
}

/** Frees the slots that name an ended or missing run. */
export const releaseDeadSlots = async (db: Db): Promise<number> => {
  const rows = await db`
    update chats c set active_stream_id = null
    where c.active_stream_id is not null
      and not exists (
        select 1 from runs r where r.id = c.active_stream_id and r.status in ('queued', 'running')
      )
    returning 1`
  return rows.length
}
