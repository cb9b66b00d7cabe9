import { findAccountSnapshot } from '../../../db/sandboxes/snapshots.ts'
import { findLiveByKey } from '../../../db/jobs/jobs.ts'
import { resolveAccount } from '../../access/access.ts'
import { cancelJob } from '../../jobs/jobs.ts'
import type { StopDeps } from '../../deps.ts'
import { ApiError, throwAs } from '../../http/errors.ts'
import { route, success, type Route } from '../../http/route.ts'
import { accountBody, routeDefaults, toSnapshotResponse, snapshotRecord } from './route-defaults.ts'
import { setupKey } from './setup.ts'
import { removePersonalSandbox } from '../../../workflows/sandboxes/messages.ts'
import { successOf } from '../../../domain/fields/fields.ts'

const removalTimeoutMs = 60_000

export function removeRoute(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/sandboxes',
    summary: 'Delete the personal sandbox',
    description:
      'Ends a live setup and deletes the sandboxes, the source repository, the snapshot and its record. The call is safe to repeat.',
    rate: 'default',
    waitMs: removalTimeoutMs,
    example: { account_id: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42' },
    body: accountBody,
    bodyOptional: true,
    errorFields: { deleted_snapshot: null },
    responses: { 200: successOf({ deleted_snapshot: snapshotRecord.nullable() }) },
    errors: ['forbidden'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: async ({ caller, body }) => {
      const accountId = body.account_id ?? caller.accountId
      await endSetup(deps, accountId)
      const record = await findAccountSnapshot(deps.db, accountId)
      await deps.engine
        .join(removePersonalSandbox, { accountId: accountId }, removalTimeoutMs)
        .catch(throwAs(notDeleted))
      // A record without a snapshot belongs to an unfinished setup.
      const snapshot = record === undefined || record.snapshotId === null ? null : toSnapshotResponse(record)
      return success({ deleted_snapshot: snapshot })
    },
  })
}

async function endSetup(deps: StopDeps, accountId: string): Promise<void> {
  const liveJob = await findLiveByKey(deps.db, setupKey(accountId))
  if (liveJob !== undefined && (await cancelJob(deps, liveJob.id)) === undefined) throw notDeleted()
}

function notDeleted(cause?: unknown): ApiError {
  return new ApiError('invalid_request', 'The personal sandbox could not be deleted', { cause })
}
