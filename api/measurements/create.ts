import { captureTerms } from '../../config.ts'
import { listAlbumsOfCatalog, listAlbumsOfSongs } from '../../db/catalogs/identifiers.ts'
import { acceptMeasurementJob, BudgetExceededError, type AcceptedJob } from '../../db/measurements/accept.ts'
import { captureJobKind } from '../../db/measurements/job.ts'
import { jobResponses } from '../../domain/measurements/jobs.ts'
import { newMeasurementJob, type MeasurementScope } from '../../domain/measurements/scope.ts'
import { resolveAccount } from '../access/access.ts'
import { requireCatalog } from '../access/catalogs.ts'
import type { WorkDeps } from '../deps.ts'
import { invalidField } from '../http/errors.ts'
import { route, type Caller, type Route } from '../http/route.ts'
import { acceptAndStart, jobTerms } from '../jobs/accept.ts'
import { overBudget } from './budget.ts'
import { routeDefaults } from './route-defaults.ts'

const path = '/api/research/measurement-jobs'

type StartMeasurement = { caller: Caller; accountId: string; scope: MeasurementScope }

export function createRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    rate: 'work',
    method: 'POST',
    path,
    summary: 'Measure the play counts of albums',
    description:
      'Measures the albums with the given ids, the known albums of recording codes, or the albums of a catalog. Credits are ' +
      'held, and charged when the job is done; a failed job is not charged. A job for the same albums that is less than an ' +
      'hour old is returned again at no cost. Poll the job or its background run. POST /api/catalogs creates a catalog from ' +
      'a job that is done.',
    ownership: 'Charged to the caller, or to account_id if the caller may act for it.',
    idempotent: 'before-validation',
    example: { scope: { album_ids: ['4aawyAB9vmqN3uQ7FjRGTy'] }, source: 'current' },
    body: newMeasurementJob,
    responses: { 202: jobResponses.accepted },
    errors: ['insufficient_credits', 'forbidden', 'not_found'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: async ({ caller, body, idempotency }) => {
      const { scope, account_id: accountId = caller.accountId } = body
      const albumIds = await findAlbums(deps, { caller, accountId, scope })
      if (albumIds.length === 0) throw invalidField('scope contains no song with a known album', 'scope')
      const terms = { ...captureTerms(deps.config), ...jobTerms(deps, caller, accountId, `POST ${path}`) }
      const request = { ...terms, albumIds, streamingArtistId: null, isrcs: scope.isrcs ?? null }
      try {
        return await acceptAndStart(deps, { caller, idempotency }, async (tx) => {
          const job = await acceptMeasurementJob(tx, request, terms)
          const jobs = job.reused ? [] : [{ id: job.runId, jobKind: captureJobKind.name }]
          return { response: toResponse(job), object: job.id, jobs }
        })
      } catch (error) {
        throw error instanceof BudgetExceededError ? overBudget(error.retryAfterSeconds) : error
      }
    },
  })
}

async function findAlbums(deps: WorkDeps, { caller, accountId, scope }: StartMeasurement): Promise<string[]> {
  if (scope.album_ids !== undefined) return [...new Set(scope.album_ids)]
  if (scope.isrcs !== undefined) return listAlbumsOfSongs(deps.db, scope.isrcs)
  const catalogId = scope.catalog_id ?? ''
  await requireCatalog(deps, caller, accountId, catalogId)
  return listAlbumsOfCatalog(deps.db, catalogId)
}

function toResponse(job: AcceptedJob) {
  return {
    status: 202 as const,
    headers: { location: `${path}/${job.id}` },
    body: {
      status: 'success' as const,
      source: 'current' as const,
      id: job.id,
      runId: job.runId,
      state: job.state,
      album_count: job.albumCount,
      estimated_cost_usd: Number(job.estimatedCostUsd),
      credits: job.credits,
      reused: job.reused,
    },
  }
}
