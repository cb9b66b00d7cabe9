import type { Route } from '../http/route.ts'
import { readRunRoute } from './read.ts'
import { scrapeArtistRoute, scrapeSocialRoute } from './scrape.ts'
import { webhookRoute, type ScraperDeps } from './webhook.ts'

/** Routes that scrape public profiles. */
export function scraperRoutes(deps: ScraperDeps): Route[] {
  return [scrapeArtistRoute(deps), scrapeSocialRoute(deps), readRunRoute(deps), webhookRoute(deps)]
}
