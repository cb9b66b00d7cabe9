import { InsufficientCreditsError } from '../../db/credits/ledger.ts'
import type { JobTerms } from '../../db/jobs/paid.ts'
import type { Tx } from '../../db/postgres/client.ts'
import type { Job } from '../../domain/jobs/job.ts'
import { recordAuditObject } from '../access/audit.ts'
import { insufficientCredits } from '../credits/gate.ts'
import type { WorkDeps } from '../deps.ts'
import type { Caller, Idempotency, StoredResponse } from '../http/route.ts'
import { startJob } from './jobs.ts'

type NewJob = Pick<Job, 'id' | 'jobKind'>
type JobRequest = { caller: Caller; idempotency: Idempotency }

/** Returns the terms of a paid job. `accountId`: the paying account. `route`: `METHOD /route/pattern` of the request. */
export function jobTerms({ config }: WorkDeps, caller: Caller, accountId: string, route: string): JobTerms {
  const usage = { source: caller.via === 'key' ? ('api' as const) : ('web' as const), modelId: route }
  return { accountId, usage, plans: config.plans, buildId: config.BUILD_ID }
}

/**
 * Stores the jobs and the response for the Idempotency-Key in one transaction, then starts the workflows. `object`: the audited
 * object. Throws 402 when the credits do not cover the jobs.
 */
export async function acceptAndStart<Accepted extends StoredResponse>(
  deps: WorkDeps,
  { caller, idempotency }: JobRequest,
  accept: (tx: Tx) => Promise<{ response: Accepted; jobs: NewJob[]; object?: string }>,
): Promise<Accepted> {
  try {
    const { response, jobs, object } = await deps.db.begin(async (tx) => {
      const accepted = await accept(tx)
      await idempotency.remember(tx, accepted.response)
      return accepted
    })
    if (object !== undefined) recordAuditObject(caller, object)
    for (const job of jobs) startJob(deps, job)
    return response
  } catch (error) {
    if (error instanceof InsufficientCreditsError) throw insufficientCredits(deps.config, error)
    throw error
  }
}
