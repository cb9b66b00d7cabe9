import { z } from 'zod'
import { findScrapeRun, findSocialOfRun, listPostsOfRun, listRunsOfBatch } from '../../db/scrapers/read.ts'
import { toPostResponse } from '../../domain/artists/posts.ts'
import { toSocialResponse } from '../../domain/artists/socials.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { scrapeRunResponse, toScrapeRunResponse } from '../../domain/scrapers/runs.ts'
import { resolveAccount, requireAccessible } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from '../measurements/route-defaults.ts'
import { numberedPage, toPage, numberedQuery } from '../../domain/fields/pages.ts'

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
    query: z.object({ account_id: uuid.optional(), ...numberedQuery(20) }),
    responses: { 200: scrapeRunResponse },
    errors: ['forbidden', 'not_found'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, params, query }) => {
      const run = await requireAccessible(deps, caller, await findScrapeRun(deps.db, params.runId), 'Scraper run')
      const isBatch = run.platform === null
      const isCompleted = run.state === 'COMPLETED'
      const { posts, count } = isCompleted
        ? await listPostsOfRun(deps.db, run.runId, toPage(query))
        : { posts: [], count: 0 }
      const social = isCompleted && !isBatch ? await findSocialOfRun(deps.db, run.runId) : undefined
      return success({
        run: {
          ...toScrapeRunResponse(run),
          ...(isBatch && { runs: (await listRunsOfBatch(deps.db, run.runId)).map(toScrapeRunResponse) }),
        },
        data: isCompleted
          ? { profile: social === undefined ? null : toSocialResponse(social), posts: posts.map(toPostResponse) }
          : null,
        pagination: numberedPage(count, query),
      })
    },
  })
}
