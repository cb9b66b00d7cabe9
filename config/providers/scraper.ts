import { z } from 'zod'
import { eventsTimeoutMs } from '../../domain/events/request.ts'
import { scrapedTokens } from '../../domain/scrapers/platforms.ts'
import { rejectEmbedded, requireHttps, requireSettings, type Mode } from '../requirements.ts'
import { anyText, anyUrl, between, choice, json, positive, secret } from '../values.ts'

const profileActors = z.partialRecord(z.enum(scrapedTokens), z.string().min(1))

const scraperShape = {
  SCRAPER_PROVIDER: choice(['embedded', 'apify', 'none']).describe(
    'Scraper of play counts, live events and profiles: embedded (generated data), apify (Apify actors), or none, which rejects scrapes, measurements and live events.',
  ),
  APIFY_TOKEN: secret('API token for SCRAPER_PROVIDER=apify.'),
  APIFY_API_URL: anyUrl('https://api.apify.com').describe('URL of the Apify API.'),
  APIFY_PLAY_COUNTS_ACTOR: anyText().describe('Apify actor (owner/name) that reads the play counts of albums.'),
  APIFY_EVENTS_ACTOR: anyText().describe('Apify actor (owner/name) that lists the events of a live-events profile.'),
  APIFY_PROFILE_ACTORS: json(profileActors).describe(
    'JSON object with the Apify actor for each platform whose profiles are scraped, such as {"TIKTOK":"owner/name"}. Platforms: TIKTOK, PHOTO, X, THREADS, VIDEO, FACEBOOK, LINKEDIN.',
  ),
  EVENTS_ANSWER_SECONDS: between(
    1,
    eventsTimeoutMs / 1000,
  )(20).describe(
    'Maximum time, in seconds, for which a request for live events waits for the scraper before it gets 502.',
  ),
  MAX_CONCURRENT_SCRAPER_RUNS: positive(40).describe(
    'Maximum number of concurrent scraper runs (profiles and parts of measurements), across all accounts.',
  ),
  SCRAPER_RUNS_OF_ACCOUNT: positive(10).describe('Maximum number of concurrent scraper runs of one account.'),
}

type Values = z.output<z.ZodObject<typeof scraperShape>>

const requiredSettings = ['APIFY_TOKEN', 'APIFY_PLAY_COUNTS_ACTOR', 'APIFY_EVENTS_ACTOR'] as const

/** Returns the settings for `createScraper`. Validation has already rejected missing settings. */
export function scraperSettings<Store>(
  config: Values & { SERVER_SECRET?: string | undefined; STREAMING_HOST: string; LIVE_EVENTS_HOST: string },
  store: Store,
) {
  const { SCRAPER_PROVIDER: provider, SERVER_SECRET: serverSecret = '' } = config
  if (provider === 'embedded') return { provider, store, serverSecret }
  if (provider === 'none') return { provider } as const
  return {
    provider,
    serverSecret,
    apiUrl: config.APIFY_API_URL,
    token: config.APIFY_TOKEN ?? '',
    playCountsActor: config.APIFY_PLAY_COUNTS_ACTOR ?? '',
    eventsActor: config.APIFY_EVENTS_ACTOR ?? '',
    profileActors: config.APIFY_PROFILE_ACTORS ?? {},
    streamingHost: config.STREAMING_HOST,
    liveEventsHost: config.LIVE_EVENTS_HOST,
  }
}

export const scraperGroup = { settings: scraperShape, validate: validateScraper }

function validateScraper(config: Values & Mode): string[] {
  if (config.SCRAPER_PROVIDER === 'none') return []
  if (config.SCRAPER_PROVIDER === 'embedded')
    return rejectEmbedded(config, 'SCRAPER_PROVIDER', 'scraper', 'another provider or none')
  return [
    ...requireSettings(config, requiredSettings, 'with SCRAPER_PROVIDER=apify'),
    ...requireHttps(config, ['APIFY_API_URL']),
  ]
}
