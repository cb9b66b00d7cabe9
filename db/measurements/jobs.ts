import { captureReference } from '../../domain/measurements/price.ts'
import { settleJob, type ChunkResult, type JobEnd, type JobState } from '../../domain/measurements/states.ts'
import { releaseHold, settleHold, type Usage } from '../credits/ledger.ts'
import type { Db, Tx } from '../postgres/client.ts'

export type CaptureJob = { id: string; accountId: string; albumIds: string[]; state: JobState; createdAt: Date }

/** Throws for a snapshot that is not there. */
export const readCaptureJob = async (db: Db | Tx, id: string): Promise<CaptureJob> => {
  const [job] = await db<CaptureJob[]>`
    select id, account_id, album_ids, state, created_at from playcount_snapshots where id = ${id}`
  if (job === undefined) throw new Error('the measurement job is gone')
  return job
}

/** `running`, unless the job has ended. True when it may go on. */
export const beginCaptureJob = async (tx: Tx, id: string): Promise<boolean> => {
  const { count } = await tx`
    update playcount_snapshots set state = 'running' where id = ${id} and state in ('queued', 'running')`
  return count === 1
}

/**
 * Ends a job with what its hold becomes, in one transaction: a debit when it is done; nothing when it failed, and then the
 * estimate is of the chunks that the provider was paid for. False for a job that had ended.
 */
export const endCaptureJob = async (
  tx: Tx,
  id: string,
  end: JobEnd,
  { chunks, usdPerAlbum, usage, earliestRelease }: {
    chunks: readonly ChunkResult[]
    usdPerAlbum: string
    usage: Usage
    earliestRelease: string | null
  },
): Promise<boolean> => {
  const [job] = await tx<{ accountId: string; estimateUsd: string; heldCredits: number }[]>`
    select account_id, estimated_cost_usd::text as estimate_usd,
      coalesce((select amount from credit_holds where reference = ${captureReference(id)}), 0)::float8 as held_credits
    from playcount_snapshots where id = ${id} and state in ('queued', 'running') for update`
  if (job === undefined) return false
  const { accountId } = job
  const { debit, estimateUsd } = settleJob(end, { ...job, usdPerAlbum }, chunks)
  const reference = captureReference(id)
  if (end.state === 'done') await settleHold(tx, { accountId, amount: debit, reference, usage })
  else await releaseHold(tx, { accountId, reference })
  await tx`
    update playcount_snapshots set state = ${end.state}, error = ${end.state === 'failed' ? end.error : null},
      credits_charged = ${debit}, estimated_cost_usd = ${estimateUsd}::text::numeric,
      earliest_release = coalesce(${earliestRelease}::date, earliest_release)
    where id = ${id}`
  return true
}
