import { z } from 'zod'
import { route, type Route } from '../http/route.ts'
import { readRunRoute } from './read.ts'
import { scrapeArtistRoute, scrapeSocialRoute } from './scrape.ts'
import { findWaitingJob } from '../../db/jobs/requests.ts'
import { providerRunChanged } from '../../workflows/provider-runs/messages.ts'
import type { ScraperPort } from '../../providers/scraper/index.ts'
import { recordAuditObject } from '../access/audit.ts'
import { verifySigned } from '../http/body/signed.ts'
import { researchTag } from '../measurements/route-defaults.ts'
import { wakeJob, wakeWebhookDefaults } from '../jobs/webhook.ts'
import type { WorkDeps } from '../deps.ts'

/** Routes that scrape public profiles. */
export function scraperRoutes(deps: ScraperDeps): Route[] {
  return [scrapeArtistRoute(deps), scrapeSocialRoute(deps), readRunRoute(deps), webhookRoute(deps)]
}

export type ScraperDeps = WorkDeps & { scraper: ScraperPort }

function webhookRoute(deps: ScraperDeps): Route {
  return route({
    ...wakeWebhookDefaults,
    path: '/api/webhooks/scraper',
    tag: researchTag,
    summary: 'Receive an event of the scraper',
    description:
      'The event only wakes the workflow that waits for the run, which reads the state from the scraper. The request is not stored.',
    ownership: 'Reads and changes no account data. The token belongs to one run.',
    query: z.object({ run: z.string().max(200).optional(), token: z.string().max(200).optional() }),
    errors: ['unauthorized', 'payload_too_large', 'unsupported_media_type'],
    handle: async (request) => {
      const { query, headers } = request
      const verify = (rawBody: Buffer) => deps.scraper.verifyWebhook({ query, headers, rawBody }).runKey
      const key = await verifySigned(request, verify, 'unauthorized', 'The token is missing or wrong')
      recordAuditObject(request.caller, key)
      return wakeJob(deps, await findWaitingJob(deps.db, 'scraper', key), providerRunChanged)
    },
  })
}
