import type { PlanRules } from '../../domain/credits/plans.ts'
import { jobHoldLifetimeMs } from '../../domain/jobs/job.ts'
import {
  debitIfCovered,
  holdCredits,
  InsufficientCreditsError,
  releaseHold,
  settleHold,
  type Usage,
} from '../credits/ledger.ts'
import type { Tx } from '../postgres/client.ts'
import { insertJob, readJob, type NewJob } from './jobs.ts'
import type { JobKind } from './kind.ts'

/** The account that pays for a job, the usage of its charge, and the plans and build of the deployment. */
export type JobTerms = { accountId: string; usage: Usage; plans: PlanRules; buildId: string }

export type NewPaidJob = Pick<NewJob, 'id' | 'payload' | 'metadata' | 'title' | 'tags'> & {
  /** Keys of the paid objects. Each object has its own hold or debit. */
  keys: readonly string[]
  /** Inserts the job's objects. */
  insert: () => Promise<unknown>
}

/**
 * Holds or debits the price of each object, then inserts the objects and the background runs. Throws
 * `InsufficientCreditsError` with the price of all objects, because the rollback also reverts the earlier holds and debits.
 */
export async function acceptJobs(
  tx: Tx,
  kind: JobKind,
  { accountId, usage, plans, buildId: version }: JobTerms,
  { price: amount, jobs }: { price: number; jobs: readonly NewPaidJob[] },
): Promise<void> {
  const charges = jobs.flatMap(({ id: runId, keys }) =>
    keys.map((key) => ({ accountId, amount, reference: kind.reference(key), usage: { ...usage, runId }, plans })),
  )
  for (const [index, charge] of charges.entries()) {
    const check = kind.isPrepaid
      ? await debitIfCovered(tx, charge)
      : await holdCredits(tx, { ...charge, lifetimeMs: jobHoldLifetimeMs })
    if (!check.covered) throw new InsufficientCreditsError(check.available + index * amount, charges.length * amount)
  }
  for (const { keys: _, insert, ...job } of jobs) {
    await insert()
    const payload = kind.isPrepaid ? job.payload : { ...job.payload, usage: { ...usage, runId: job.id } }
    const { name: jobKind, cancellable } = kind
    await insertJob(tx, { ...job, payload, accountId, jobKind, cancellable, version })
  }
}

/** Charges up to the held amount for an object of a job, and releases the rest of its hold, or the complete hold for 0. */
export async function chargeJob(
  tx: Tx,
  { runId, accountId, reference }: { runId: string; accountId: string; reference: string },
  amount: number,
): Promise<void> {
  if (amount === 0) return releaseHold(tx, { accountId, reference })
  const { usage } = (await readJob(tx, runId)).payload as { usage: Usage }
  await settleHold(tx, { accountId, reference, amount, usage })
}
