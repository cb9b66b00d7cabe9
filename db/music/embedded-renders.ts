import {
  renderRequestSchema,
  type ClaimedRender,
  type RenderedFile,
  type RenderJob,
  type RenderJobs,
  type RenderRequest,
  type RenderState,
} from '../../domain/renders.ts'
import type { Db } from '../postgres/client.ts'

const maxLogs = 200

type Row = {
  id: string
  request: unknown
  state: RenderState
  logs: { at: string; message: string }[]
  file: RenderedFile | null
}

/** What only the holder of a job may change. */
type Holder = ClaimedRender & { processId: number }

/** The rows of the embedded renderer, for the process that holds the lock of this id. */
export function createRenderJobs(db: Db, processId: number): RenderJobs {
  return {
    insert: (id, request) => insert(db, id, request),
    find: (id) => find(db, id),
    claim: (held) => claim(db, processId, held),
    log: (claimed, message) => log(db, { ...claimed, processId }, message),
    complete: (claimed, file) => complete(db, { ...claimed, processId }, file),
    fail: (claimed, message) => fail(db, { ...claimed, processId }, message),
    cancel: (id) => cancel(db, id),
    isHeld: async (claimed) =>
      (await db`select 1 from embedded_renders where ${isHeld(db, { ...claimed, processId })}`).count === 1,
    release: (claimed, options) => release(db, { ...claimed, processId }, options),
    deleteEnded: (before) => deleteEnded(db, before),
  }
}

async function insert(db: Db, id: string, request: RenderRequest): Promise<RenderRequest> {
  const [row] = await db<{ request: unknown }[]>`
    insert into embedded_renders (id, request) values (${id}, ${db.json(request)})
    on conflict (id) do update set id = excluded.id returning request`
  return renderRequestSchema.parse(row?.request)
}

async function find(db: Db, id: string): Promise<RenderJob | undefined> {
  const [row] = await db<Row[]>`select id, request, state, logs, file from embedded_renders where id = ${id}`
  return row && toJob(row)
}

function toJob({ logs, request, ...row }: Row): RenderJob {
  return {
    ...row,
    request: renderRequestSchema.parse(request),
    logs: logs.map(({ at, message }) => ({ at: new Date(at), message })),
  }
}

async function claim(db: Db, processId: number, held: string[]): Promise<ClaimedRender | undefined> {
  const [row] = await db<(Omit<ClaimedRender, 'request'> & { request: unknown })[]>`
    update embedded_renders set state = 'running', process_id = ${processId}, attempt = attempt + 1, updated_at = now()
    where id = (
      select id from embedded_renders
      where state = 'queued'
        or (state = 'running' and process_id = ${processId} and id <> all (${held}::text[]))
        or (state = 'running' and process_id <> ${processId} and pg_try_advisory_xact_lock(process_id))
      order by created_at limit 1 for update skip locked
    ) returning id, request, attempt`
  return row && { ...row, request: renderRequestSchema.parse(row.request) }
}

async function log(db: Db, holder: Holder, message: string): Promise<void> {
  await db`
    update embedded_renders set updated_at = now(), logs = case when jsonb_array_length(logs) < ${maxLogs}
      then logs || jsonb_build_object('at', now(), 'message', ${message}::text) else logs end
    where ${isHeld(db, holder)}`
}

function isHeld(db: Db, { id, attempt, processId }: Holder) {
  return db`id = ${id} and attempt = ${attempt} and process_id = ${processId} and state = 'running'`
}

async function complete(db: Db, holder: Holder, file: RenderedFile): Promise<boolean> {
  const { count } = await db`
    update embedded_renders set state = 'completed', file = ${db.json(file)}, updated_at = now()
    where ${isHeld(db, holder)}`
  return count === 1
}

async function cancel(db: Db, id: string): Promise<void> {
  await db`
    update embedded_renders set state = 'failed', updated_at = now(),
      logs = logs || jsonb_build_object('at', now(), 'message', 'Cancelled.')
    where id = ${id} and state in ('queued', 'running')`
}

async function fail(db: Db, holder: Holder, message: string): Promise<void> {
  await log(db, holder, message)
  await db`update embedded_renders set state = 'failed', updated_at = now() where ${isHeld(db, holder)}`
}

async function release(db: Db, holder: Holder, { counts }: { counts: boolean }): Promise<void> {
  await db`
    update embedded_renders set state = 'queued', process_id = null, attempt = attempt - ${counts ? 0 : 1}
    where ${isHeld(db, holder)}`
}

async function deleteEnded(db: Db, before: Date): Promise<string[]> {
  const rows = await db<{ key: string | null }[]>`
    delete from embedded_renders where state in ('completed', 'failed') and updated_at < ${before}
    returning file ->> 'key' as key`
  return rows.flatMap(({ key }) => key ?? [])
}
