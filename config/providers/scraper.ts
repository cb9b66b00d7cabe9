import { z } from 'zod'
import { eventsTimeoutMs } from '../../domain/events/request.ts'
import { scrapedTokens } from '../../domain/scrapers/platforms.ts'
import { mayEmbed } from '../service.ts'
import { count, json, loopbackHostnames } from '../values.ts'

const profileActors = z.partialRecord(z.enum(scrapedTokens), z.string().min(1))

const scraperShape = {
  SCRAPER_PROVIDER: z.enum(['embedded', 'apify', 'none']).default('embedded').meta({
    description:
      'Scraper of play counts, live events and profiles: embedded (generated data), apify (Apify actors), or none, which rejects scrapes, measurements and live events.',
  }),
  APIFY_TOKEN: z.string().optional().meta({ description: 'API token for SCRAPER_PROVIDER=apify.', secret: true }),
  APIFY_API_URL: z.url().default('https://api.apify.com').meta({ description: 'URL of the Apify API.' }),
  APIFY_PLAY_COUNTS_ACTOR: z
    .string()
    .optional()
    .meta({ description: 'Apify actor (owner/name) that reads the play counts of albums.' }),
  APIFY_EVENTS_ACTOR: z
    .string()
    .optional()
    .meta({ description: 'Apify actor (owner/name) that lists the events of a live-events profile.' }),
  APIFY_PROFILE_ACTORS: json(profileActors).optional().meta({
    description:
      'JSON object with the Apify actor for each platform whose profiles are scraped, such as {"TIKTOK":"owner/name"}. Platforms: TIKTOK, PHOTO, X, THREADS, VIDEO, FACEBOOK, LINKEDIN.',
  }),
  EVENTS_ANSWER_SECONDS: count
    .min(1)
    .max(eventsTimeoutMs / 1000)
    .default(20)
    .meta({
      description:
        'Maximum time, in seconds, for which a request for live events waits for the scraper before it gets 502.',
    }),
  MAX_CONCURRENT_SCRAPER_RUNS: count.min(1).default(40).meta({
    description: 'Maximum number of concurrent scraper runs (profiles and parts of measurements), across all accounts.',
  }),
  SCRAPER_RUNS_OF_ACCOUNT: count
    .min(1)
    .default(10)
    .meta({ description: 'Maximum number of concurrent scraper runs of one account.' }),
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

function validateScraper(config: Values & { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined }): string[] {
  if (config.SCRAPER_PROVIDER === 'embedded')
    return config.PRODUCTION_MODE && !mayEmbed(config, 'scraper')
      ? [
          'SCRAPER_PROVIDER must not be embedded in production mode: choose another provider or none, or add scraper to ALLOW_EMBEDDED.',
        ]
      : []
  if (config.SCRAPER_PROVIDER === 'none') return []
  const { protocol, hostname } = new URL(config.APIFY_API_URL)
  return [
    ...requiredSettings
      .filter((name) => config[name] === undefined)
      .map((name) => `${name} is required with SCRAPER_PROVIDER=apify.`),
    ...(protocol === 'https:' || loopbackHostnames.has(hostname)
      ? []
      : ['APIFY_API_URL must be an https URL; http is allowed only for localhost.']),
  ]
}
