import type { ApiDeps } from '../deps.ts'
import type { Route } from '../http/route.ts'
import { readRunRoute } from './read.ts'
import { scrapeArtistRoute, scrapeSocialRoute } from './scrape.ts'
import { webhookRoute } from './webhook.ts'

/** Routes that scrape public profiles. */
export function scraperRoutes(deps: ApiDeps): Route[] {
  return [scrapeArtistRoute(deps), scrapeSocialRoute(deps), readRunRoute(deps), webhookRoute(deps)]
}
