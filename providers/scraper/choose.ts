import { createEmbeddedScraper, type ScraperRunStore } from './embedded/index.ts'
import { createDisabledPort } from '../disabled-port.ts'
import type { ApifyOptions } from './apify/index.ts'
import type { ScraperPort } from './index.ts'

export type ScraperOptions =
  | { provider: 'embedded'; store: ScraperRunStore; serverSecret: string }
  | ({ provider: 'apify' } & ApifyOptions)
  | { provider: 'none' }

/** Creates the scraper of this deployment. Loads a vendor's library only if that vendor is configured. */
export async function createScraper(options: ScraperOptions): Promise<ScraperPort> {
  if (options.provider === 'none') return createDisabledPort('SCRAPER_PROVIDER')
  return options.provider === 'apify'
    ? (await import('./apify/index.ts')).createApifyScraper(options)
    : createEmbeddedScraper(options)
}
