import { z } from 'zod'
import { findMeasurementJob, listMeasurementJobs } from '../../db/measurements/read.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { jobResponses, toJobResponse } from '../../domain/measurements/jobs.ts'
import { resolveAccount, requireAccessible } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

export function readRoute(deps: RouteDeps): Route {
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

export function listRoute(deps: RouteDeps): Route {
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
