import {
  renderRequestSchema,
  type ClaimedRender,
  type RenderedFile,
  type RenderJob,
  type RenderJobs,
} from '../../domain/renders.ts'
import { fairTurn, lockFairQueue, takeFairTurn } from '../fair-queues.ts'
import type { Db, Pool } from '../postgres/client.ts'

const maxLogs = 200
/** Account id that the fair queue uses for renders without an account. */
const noAccount = '00000000-0000-0000-0000-000000000000'

/** A row as Postgres returns it. */
type Stored<Job> = Omit<Job, 'request' | 'logs'> & { request: unknown; logs: { at: string; message: string }[] }

/** Storage of the embedded renderer, for the process with this lock id. */
export function createRenderJobs(db: Pool, processId: number, enterpriseDomains: readonly string[]): RenderJobs {
  /** True for the attempt that may change the render. */
  const isHeld = ({ id, attempt }: ClaimedRender) =>
    db`id = ${id} and attempt = ${attempt} and process_id = ${processId} and state = 'running'`

  return {
    insert: async (id, request, accountId) => {
      const [row] = await db<{ request: unknown }[]>`
        insert into embedded_renders (id, request, account_id) values (${id}, ${db.json(request)}, ${accountId ?? null})
        on conflict (id) do update set id = excluded.id returning request`
      return renderRequestSchema.parse(row?.request)
    },
    find: async (id) => {
      const [row] = await db<Stored<RenderJob>[]>`
        select id, request, state, logs, file from embedded_renders where id = ${id}`
      if (row === undefined) return undefined
      const logs = row.logs.map(({ at, message }) => ({ at: new Date(at), message }))
      return { ...row, request: renderRequestSchema.parse(row.request), logs }
    },
    claim: (heldIds, maxPerAccount) => claim(db, { processId, heldIds, maxPerAccount, enterpriseDomains }),
    update: async (claimed, { state, message, file, attempt }) => {
      const { count } = await db`
        update embedded_renders set state = ${state}, file = ${file === undefined ? null : db.json(file)},
          attempt = ${attempt ?? claimed.attempt}, updated_at = now(), logs = ${appendLog(db, message)}
        where ${isHeld(claimed)}`
      return count === 1
    },
    isHeld: async (claimed) => (await db`select 1 from embedded_renders where ${isHeld(claimed)}`).count === 1,
    cancel: async (id) => {
      await db`
        update embedded_renders set state = 'failed', updated_at = now(), logs = ${appendLog(db, 'Cancelled.')}
        where id = ${id} and state in ('queued', 'running')`
    },
    deleteEnded: async (before) => {
      const rows = await db<{ file: RenderedFile | null }[]>`
        delete from embedded_renders where state in ('completed', 'failed') and updated_at < ${before} returning file`
      return rows.flatMap(({ file }) => file?.key ?? [])
    },
  }
}

/** SQL for the log with another message, up to the maximum. */
function appendLog(db: Db, message: string | undefined) {
  if (message === undefined) return db`logs`
  return db`case when jsonb_array_length(logs) < ${maxLogs}
    then logs || jsonb_build_object('at', now(), 'message', ${message}::text) else logs end`
}

type RenderClaim = { processId: number; heldIds: string[]; maxPerAccount: number; enterpriseDomains: readonly string[] }

function claim(
  db: Pool,
  { processId, heldIds, maxPerAccount, enterpriseDomains }: RenderClaim,
): Promise<ClaimedRender | undefined> {
  return db.begin(async (tx) => {
    await lockFairQueue(tx, 'renders')
    const account: ReturnType<Db> = tx`coalesce(account_id, ${noAccount}::uuid)`
    const [row] = await tx<Stored<ClaimedRender>[]>`
      with chosen as (
        select id, state = 'queued' as is_new from embedded_renders render
        where (state = 'queued' and (
            select count(*) from embedded_renders live
            where live.state = 'running' and live.process_id = ${processId}
              and live.account_id is not distinct from render.account_id
          ) < ${maxPerAccount})
          or (state = 'running' and process_id = ${processId} and id <> all (${heldIds}::text[]))
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
