import type { Db, Tx } from '../postgres/client.ts'
import type { RenderJob } from './kind.ts'
import { chargeJob } from './paid.ts'

/** The render of a job, as stored in the job's row. */
export type StoredRender = {
  /** Idempotency key of the render. */
  key: string
  accountId: string
  isLive: boolean
  hasFailed: boolean
  /** Reason for which the object failed or will fail. */
  error: string | null
  /** Whether the request may have been sent to the renderer. */
  isRequested: boolean
  providerRequestId: string | null
}

/** Returns the render of a job; undefined when its object was deleted with its account. */
export async function findRender(db: Db | Tx, kind: RenderJob, runId: string): Promise<StoredRender | undefined> {
  const { key, state, error } = kind.columns
  const [render] = await db<StoredRender[]>`
    select ${db(key)} as key, account_id, ${kind.isLive(db)} as is_live, ${db(state)} = 'failed' as has_failed,
      ${db(error)} as error, asked_at is not null as is_requested, provider_request_id
    from ${db(kind.table)} where run_id = ${runId}`
  return render
}

export async function readRender(db: Db | Tx, kind: RenderJob, runId: string): Promise<StoredRender> {
  const render = await findRender(db, kind, runId)
  if (render === undefined) throw new Error(`the render of run ${runId} was deleted`)
  return render
}

/** Records the intent to call the renderer. Returns false when an earlier attempt may have called it. */
export async function announceRender(db: Db, { table }: RenderJob, runId: string): Promise<boolean> {
  const { count } = await db`
    update ${db(table)} set asked_at = now() where run_id = ${runId} and asked_at is null`
  return count === 1
}

/** Deletes the recorded intent after the renderer rejected the request, so that the render can be requested again. */
export async function withdrawRender(db: Db, { table }: RenderJob, runId: string): Promise<void> {
  await db`update ${db(table)} set asked_at = null where run_id = ${runId} and provider_request_id is null`
}

/**
 * Sets the object to its state `rendering` and stores the request id, unless it has one. Returns false when the object
 * has ended concurrently.
 */
export async function recordRender(tx: Tx, kind: RenderJob, runId: string, requestId: string): Promise<boolean> {
  const { table, columns, rendering, isLive } = kind
  const { count } = await tx`
    update ${tx(table)}
    set ${tx(columns.state)} = ${rendering}, provider_request_id = coalesce(provider_request_id, ${requestId})
    where run_id = ${runId} and ${isLive(tx)}`
  return count === 1
}

/** Columns of the result, and the credits to charge. */
export type RenderCharge = { columns: Record<string, string | number | null>; amount: number }

/** Completes an object, stores its result in these columns, and charges it once. Does nothing for an ended object. */
export async function completeRender(
  tx: Tx,
  kind: RenderJob,
  runId: string,
  { columns, amount }: RenderCharge,
): Promise<void> {
  const { state, key } = kind.columns
  const [completed] = await tx<{ key: string; accountId: string }[]>`
    update ${tx(kind.table)} set ${tx({ [state]: 'completed', ...columns })}
    where run_id = ${runId} and ${kind.isRendering(tx)} returning ${tx(key)} as key, account_id`
  if (completed !== undefined) await charge(tx, kind, { runId, ...completed }, amount)
}

/** Fails an object and releases its hold. Keeps an earlier reason. Returns false when the object had already ended. */
export async function failRender(tx: Tx, kind: RenderJob, runId: string, reason: string): Promise<boolean> {
  const { table, columns, isLive } = kind
  const error = tx(columns.error)
  const [failedObject] = await tx<{ key: string; accountId: string }[]>`
    update ${tx(table)} set ${tx(columns.state)} = 'failed', ${error} = coalesce(${error}, ${reason})
    where run_id = ${runId} and ${isLive(tx)} returning ${tx(columns.key)} as key, account_id`
  if (failedObject === undefined) return false
  await charge(tx, kind, { runId, ...failedObject }, 0)
  return true
}

function charge(
  tx: Tx,
  kind: RenderJob,
  { key, ...job }: { runId: string; accountId: string; key: string },
  amount: number,
): Promise<void> {
  return chargeJob(tx, { ...job, reference: kind.reference(key) }, amount)
}
