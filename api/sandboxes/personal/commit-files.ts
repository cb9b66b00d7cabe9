import { createHash } from 'node:crypto'
import { z } from 'zod'
import { findByIdempotencyKey, insertJob } from '../../../db/jobs/jobs.ts'
import { commitFilesJob, committedSchema, type CommitFilesPayload } from '../../../domain/sandboxes/committed-files.ts'
import { text, uuid } from '../../../domain/fields/fields.ts'
import { newJobId } from '../../../domain/fields/ids.ts'
import { fileName, folderPath } from '../../../domain/sandboxes/personal.ts'
import type { CodeHostPort } from '../../../providers/code-host/index.ts'
import { resolveAccount } from '../../access/access.ts'
import { startJob, waitForRunEnd } from '../../jobs/jobs.ts'
import { ApiError, invalidField } from '../../http/errors.ts'
import { route, success, type Caller, type Route } from '../../http/route.ts'
import { routeDefaults, findSourceRepository } from './route-defaults.ts'
import type { WorkDeps } from '../../deps.ts'
import type { BlobStoreDeps } from '../../staged-files/receive.ts'

export type StagedFileDeps = WorkDeps & BlobStoreDeps & { codeHost: CodeHostPort }

const waitTimeoutMs = 10 * 60_000
const defaultMessage = 'Upload files via API'

const bodySchema = z.object({
  files: z
    .array(z.object({ url: z.string().max(4096), name: fileName }))
    .min(1)
    .max(100),
  path: folderPath.default(''),
  message: text(0, 500)
    .refine((line) => !/[\r\n]/.test(line), { error: 'must be one line' })
    .meta({ pattern: '^[^\\u0000\\r\\n]*$' })
    .transform((line) => line || defaultMessage)
    .default(defaultMessage),
  account_id: uuid.optional(),
})
type CommitFilesRequest = z.output<typeof bodySchema>

export function commitFilesRoute(deps: StagedFileDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/sandboxes/files',
    summary: 'Commit staged files',
    description:
      'Creates one commit per file on `main` of the source repository, or of the submodule that contains the path. All staged files are deleted afterwards, even those that could not be committed.',
    rate: 'starts',
    idempotent: true,
    waitMs: waitTimeoutMs,
    example: {
      files: [{ url: 'https://files.example.com/staged/cover.png', name: 'cover.png' }],
      path: 'images',
      message: 'Add the cover',
    },
    body: bodySchema,
    responses: { 200: committedSchema.extend({ status: z.literal('success') }) },
    errors: ['forbidden', 'not_found', 'not_done', 'timeout'],
    authorize: async ({ caller, body }) => {
      const accountId = await resolveAccount(deps, caller, body.account_id)
      requireOwnBlobs(deps, [caller.accountId, accountId], body)
    },
    handle: async ({ caller, body, headers }) => {
      const accountId = body.account_id ?? caller.accountId
      if ((await findSourceRepository(deps, accountId)) === undefined)
        throw new ApiError('not_found', 'No source repository for this account')
      const { files, path, message } = body
      const key = deriveIdempotencyKey(caller, headers['idempotency-key'], body)
      const jobId = await startOrFindJob(deps, { accountId, files, path, message }, key)
      const run = await waitForRunEnd(deps, jobId, waitTimeoutMs)
      if (run === undefined) throw new ApiError('timeout', 'The files are still being committed', { retryAfter: 5 })
      const result = committedSchema.safeParse(run.output)
      if (!result.success || result.data.uploaded.length === 0) throw new ApiError('not_done', 'All uploads failed')
      return success(result.data)
    },
  })
}

/** Throws 400 unless each URL is a file in our blob store that one of the accounts uploaded. Other URLs are never fetched. */
function requireOwnBlobs({ blobs }: StagedFileDeps, accounts: string[], { files }: CommitFilesRequest): void {
  files.forEach(({ url }, index) => {
    const owner = blobs.findOwner(url)
    if (owner !== undefined && accounts.includes(owner)) return
    throw invalidField(`files.${index}.url must be a staged file of this account`, 'files', index, 'url')
  })
}

/** Derives the job's idempotency key, so that a request that is repeated after a lost response joins the same job. */
function deriveIdempotencyKey(caller: Caller, key: string | undefined, body: CommitFilesRequest): string | null {
  return key === undefined
    ? null
    : createHash('sha256')
        .update(JSON.stringify([caller.accountId, key, body]))
        .digest('hex')
}

async function startOrFindJob(
  deps: StagedFileDeps,
  payload: CommitFilesPayload,
  idempotencyKey: string | null,
): Promise<string> {
  const id = newJobId()
  const jobKind = commitFilesJob
  const { accountId } = payload
  const version = deps.config.BUILD_ID
  const run = { id, accountId, jobKind, cancellable: false, version, payload, idempotencyKey }
  if (await insertJob(deps.db, run)) {
    startJob(deps, run)
    return id
  }
  const existing = await findByIdempotencyKey(deps.db, jobKind, idempotencyKey ?? '')
  if (existing === undefined) throw new Error('a background run was neither stored nor found')
  return existing.id
}
