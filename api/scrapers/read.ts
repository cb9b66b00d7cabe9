import { z } from 'zod'
import { findScrapeRun, findSocialOfRun, listPostsOfRun, listRunsOfBatch } from '../../db/scrapers/read.ts'
import { toPostResponse } from '../../domain/artists/posts.ts'
import { toSocialResponse } from '../../domain/artists/socials.ts'
import { queryInteger, uuid } from '../../domain/fields/fields.ts'
import { scrapeRunResponse, toScrapeRunResponse } from '../../domain/scrapers/runs.ts'
import { mayActFor, resolveAccount } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, type Route } from '../http/route.ts'
import { routeDefaults } from '../measurements/route-defaults.ts'

export function readRunRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/scrapers/runs/{runId}',
    summary: 'Read a scrape or one of its profile runs, with the stored data',
    description:
      'Accepts the id of a batch, a profile run or a dataset. `data` is null until the run is COMPLETED; then it contains the ' +
      'profile (null for a batch) and a page of the posts that the run stored, newest first.',
    ownership:
      'Runs of the caller or of the account named by account_id that the caller may act for; any other run gives 404.',
    params: z.object({ runId: z.string().max(100) }),
    query: z.object({
      account_id: uuid.optional(),
      page: queryInteger(1, 1_000_000, 1),
      limit: queryInteger(1, 100, 20),
    }),
    responses: { 200: scrapeRunResponse },
    errors: ['forbidden', 'not_found'],
    authorize: async ({ caller, query }) => {
      await resolveAccount(deps, caller, query.account_id)
    },
    handle: async ({ caller, params, query: { page, limit } }) => {
      const run = await findScrapeRun(deps.db, params.runId)
      if (run === undefined || !(await mayActFor(deps, caller, run.accountId)))
        throw new ApiError('not_found', 'Scraper run not found')
      const isBatch = run.platform === null
      const isCompleted = run.state === 'COMPLETED'
      const { posts, count } = isCompleted
        ? await listPostsOfRun(deps.db, run.runId, { limit, offset: (page - 1) * limit })
        : { posts: [], count: 0 }
      const social = isCompleted && !isBatch ? await findSocialOfRun(deps.db, run.runId) : undefined
      return {
        status: 200,
        body: {
          status: 'success',
          run: {
            ...toScrapeRunResponse(run),
            ...(isBatch && { runs: (await listRunsOfBatch(deps.db, run.runId)).map(toScrapeRunResponse) }),
          },
          data: isCompleted
            ? { profile: social === undefined ? null : toSocialResponse(social), posts: posts.map(toPostResponse) }
            : null,
          pagination: { total_count: count, page, limit, total_pages: Math.ceil(count / limit) },
        },
      }
    },
  })
}
