import { z } from 'zod'
import { findLiveByKey, insertJob } from '../../../db/jobs/jobs.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import { setupJob } from '../../../domain/sandboxes/personal.ts'
import { newJobId } from '../../../domain/fields/ids.ts'
import { resolveAccount } from '../../access/access.ts'
import { startJob } from '../../jobs/jobs.ts'
import type { WorkDeps } from '../../deps.ts'
import { route, success, type Idempotency, type Route } from '../../http/route.ts'
import { accountBody, routeDefaults } from './route-defaults.ts'
import { successOf } from '../../../domain/fields/fields.ts'

/** Returns the concurrency key of an account's setup, which limits an account to one live setup. */
export function setupKey(accountId: string): string {
  return `${setupJob}:${accountId}`
}

export function setupRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/sandboxes/setup',
    summary: 'Set up the personal sandbox',
    description:
      'Creates the source repository, a sandbox that contains it, and a snapshot. Returns immediately: poll GET ' +
      '/api/tasks/runs. An account has at most one live setup; another call returns it.',
    rate: 'starts',
    idempotent: true,
    example: { account_id: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42' },
    body: accountBody,
    bodyOptional: true,
    responses: { 200: successOf({ runId: z.string() }) },
    errors: ['forbidden'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: async ({ caller, body, idempotency }) =>
      setupResponse(await startOrJoin(deps, body.account_id ?? caller.accountId, idempotency)),
  })
}

function setupResponse(runId: string) {
  return success({ runId })
}

/** Returns the account's live setup, or starts one. */
async function startOrJoin(deps: WorkDeps, accountId: string, idempotency: Idempotency): Promise<string> {
  for (;;) {
    const id = await insertSetup(deps, accountId, idempotency)
    if (id !== undefined) {
      startJob(deps, { id, jobKind: setupJob })
      return id
    }
    const liveJob: Job | undefined = await findLiveByKey(deps.db, setupKey(accountId))
    if (liveJob !== undefined) return liveJob.id
  }
}

/** Stores a setup and returns its id; undefined if the account already has a live setup. */
function insertSetup(deps: WorkDeps, accountId: string, idempotency: Idempotency): Promise<string | undefined> {
  return deps.db.begin(async (tx) => {
    const id = newJobId()
    const inserted = await insertJob(tx, {
      id,
      accountId,
      jobKind: setupJob,
      cancellable: true,
      version: deps.config.BUILD_ID,
      payload: { accountId },
      metadata: { currentStep: 'queued', logs: [] },
      concurrencyKey: setupKey(accountId),
    })
    if (!inserted) return undefined
    await idempotency.remember(tx, setupResponse(id))
    return id
  })
}
