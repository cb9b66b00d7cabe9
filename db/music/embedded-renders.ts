import {
  renderRequestSchema,
  type ClaimedRender,
  type RenderedFile,
  type RenderJob,
  type RenderJobs,
  type RenderRequest,
  type RenderState,
} from '../../domain/renders.ts'
import { fairTurn, lockFairQueue, takeFairTurn } from '../fair-queues.ts'
import type { Db, Pool } from '../postgres/client.ts'

const maxLogs = 200
/** Account id that the fair queue uses for renders without an account. */
const noAccount = '00000000-0000-0000-0000-000000000000'

type Row = {
  id: string
  request: unknown
  state: RenderState
  logs: { at: string; message: string }[]
  file: RenderedFile | null
}

/** Identifies the holder of a render. Only the holder may change the render. */
type Holder = ClaimedRender & { processId: number }

/** Storage of the embedded renderer, for the process with this lock id. */
export function createRenderJobs(db: Pool, processId: number, enterpriseDomains: readonly string[]): RenderJobs {
  return {
    insert: (id, request, accountId) => insert(db, id, { request, accountId }),
    find: (id) => find(db, id),
    claim: (held, maxPerAccount) => claim(db, { processId, held, maxPerAccount, enterpriseDomains }),
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

type NewRender = { request: RenderRequest; accountId: string | undefined }

async function insert(db: Db, id: string, { request, accountId }: NewRender): Promise<RenderRequest> {
  const [row] = await db<{ request: unknown }[]>`
    insert into embedded_renders (id, request, account_id) values (${id}, ${db.json(request)}, ${accountId ?? null})
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

type RenderClaim = { processId: number; held: string[]; maxPerAccount: number; enterpriseDomains: readonly string[] }

function claim(
  db: Pool,
  { processId, held, maxPerAccount, enterpriseDomains }: RenderClaim,
): Promise<ClaimedRender | undefined> {
  return db.begin(async (tx) => {
    await lockFairQueue(tx, 'renders')
    const account: ReturnType<Db> = tx`coalesce(account_id, ${noAccount}::uuid)`
    const [row] = await tx<(Omit<ClaimedRender, 'request'> & { request: unknown })[]>`
      with chosen as (
        select id, state = 'queued' as is_new from embedded_renders render
        where (state = 'queued' and (
            select count(*) from embedded_renders live
            where live.state = 'running' and live.process_id = ${processId}
              and live.account_id is not distinct from render.account_id
          ) < ${maxPerAccount})
          or (state = 'running' and process_id = ${processId} and id <> all (${held}::text[]))
          or (state = 'running' and process_id <> ${processId} and pg_try_advisory_xact_lock(process_id))
        order by state = 'queued', case when state = 'queued' then ${fairTurn(tx, 'renders', account)} end, created_at
        limit 1 for update skip locked
      ), claimed as (
        update embedded_renders render
        set state = 'running', process_id = ${processId}, attempt = attempt + 1, updated_at = now()
        from chosen where render.id = chosen.id
        returning render.id, request, attempt, account_id, is_new
      )
      select id, request, attempt,
        case when is_new then ${takeFairTurn(tx, 'renders', { accountId: account, enterpriseDomains })} end
      from claimed`
    return row && { id: row.id, request: renderRequestSchema.parse(row.request), attempt: row.attempt }
  })
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
