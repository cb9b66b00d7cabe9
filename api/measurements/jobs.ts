import { z } from 'zod'
import type { WorkDeps, RouteDeps } from '../deps.ts'
import { route, success, type Route, type Caller } from '../http/route.ts'
import { captureTerms } from '../../config.ts'
import { listAlbumsOfCatalog, listAlbumsOfSongs } from '../../db/catalogs/identifiers.ts'
import { acceptMeasurementJob, BudgetExceededError, type AcceptedJob } from '../../db/measurements/accept.ts'
import { captureJobKind } from '../../db/measurements/job.ts'
import { jobResponses, toJobResponse } from '../../domain/measurements/jobs.ts'
import { newMeasurementJob, type MeasurementScope } from '../../domain/measurements/scope.ts'
import { resolveAccount, requireAccessible } from '../access/access.ts'
import { requireCatalog } from '../access/catalogs.ts'
import { invalidField, ApiError } from '../http/errors.ts'
import { acceptAndStart, jobTerms } from '../jobs/accept.ts'
import { routeDefaults } from './route-defaults.ts'
import { findMeasurementJob, listMeasurementJobs } from '../../db/measurements/read.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { pageQuery } from '../../domain/fields/pages.ts'

/** Routes of jobs that measure the play counts of songs. */
export function measurementRoutes(deps: WorkDeps): Route[] {
  return [createRoute(deps), readRoute(deps), listRoute(deps)]
}

const path = '/api/research/measurement-jobs'

type StartMeasurement = { caller: Caller; accountId: string; scope: MeasurementScope }

function createRoute(deps: WorkDeps): Route {
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

function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/research/measurement-jobs/{id}',
    summary: 'Read a measurement job',
    ownership: 'Jobs of the caller or of an account that the caller may act for; any other job gives 404.',
    params: z.object({ id: uuid }),
    responses: { 200: jobResponses.one },
    errors: ['not_found'],
    handle: async ({ caller, params: { id } }) => {
      const job = await requireAccessible(deps, caller, await findMeasurementJob(deps.db, id), 'Measurement job')
      return success({ job: toJobResponse(job) })
    },
  })
}

function listRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/research/measurement-jobs',
    summary: 'List measurement jobs, newest first',
    ownership: 'Jobs of the caller or of the account named by account_id that the caller may act for.',
    query: z.object({ account_id: uuid.optional(), ...pageQuery(50, 20) }),
    responses: { 200: jobResponses.list },
    errors: ['forbidden'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, query }) => {
      const jobs = await listMeasurementJobs(deps.db, query.account_id ?? caller.accountId, query)
      return success({ jobs: jobs.map(toJobResponse) })
    },
  })
}

/** Creates the 429 error for an exhausted measurement budget. */
export function overBudget(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', 'The monthly measurement budget is used up', { retryAfter: retryAfterSeconds })
}
