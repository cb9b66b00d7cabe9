import { z } from 'zod'
import type { PlanRules } from '../domain/credits/plans.ts'
import type { PriceTable } from '../domain/credits/work-prices.ts'
import { mayEmbed } from './service.ts'
import { count, loopbackHostnames } from './values.ts'

const catalogShape = {
  STREAMING_PROVIDER: z.enum(['embedded', 'spotify', 'none']).default('embedded').meta({
    description:
      'Source of artists, albums and tracks: embedded (generated data), spotify, or none, which rejects measurements.',
  }),
  SPOTIFY_CLIENT_ID: z
    .string()
    .optional()
    .meta({ description: 'Client id of the Spotify app. Required with STREAMING_PROVIDER=spotify.' }),
  SPOTIFY_CLIENT_SECRET: z
    .string()
    .optional()
    .meta({ description: 'Client secret of the Spotify app. Required with STREAMING_PROVIDER=spotify.', secret: true }),
  SPOTIFY_API_URL: z
    .url()
    .default('https://api.spotify.com')
    .meta({ description: 'URL of the Spotify Web API, without the version.' }),
  SPOTIFY_ACCOUNTS_URL: z
    .url()
    .default('https://accounts.spotify.com')
    .meta({ description: 'URL of the token service of the Spotify Web API.' }),
  CAPTURE_MONTHLY_BUDGET_USD: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal number')
    .default('25')
    .meta({
      description: "Maximum estimated cost of an account's measurements per calendar month (UTC), in US dollars.",
    }),
  VALUATION_WAIT_MS: count.min(1).default(90_000).meta({
    description:
      'Maximum time, in milliseconds, for which a valuation request waits for its measurement before it gets 504.',
  }),
  VALUATION_MAX_RELEASES: count
    .min(1)
    .max(500)
    .default(300)
    .meta({ description: "Maximum number of an artist's albums and singles that a valuation measures." }),
}

type Values = z.output<z.ZodObject<typeof catalogShape>>

/** Returns the settings for `createStreaming`. Validation has already rejected missing settings. */
export function streamingSettings(config: Values & { STREAMING_HOST: string }) {
  if (config.STREAMING_PROVIDER === 'none') return { provider: config.STREAMING_PROVIDER } as const
  return config.STREAMING_PROVIDER === 'spotify'
    ? {
        provider: config.STREAMING_PROVIDER,
        apiUrl: config.SPOTIFY_API_URL,
        accountsUrl: config.SPOTIFY_ACCOUNTS_URL,
        clientId: config.SPOTIFY_CLIENT_ID ?? '',
        clientSecret: config.SPOTIFY_CLIENT_SECRET ?? '',
      }
    : { provider: config.STREAMING_PROVIDER, host: config.STREAMING_HOST }
}

/** Settings that decide whether a measurement is accepted. */
export function captureTerms({
  prices,
  plans,
  ...config
}: Values & { prices: PriceTable; plans: PlanRules; BUILD_ID: string }) {
  return {
    usdPerAlbum: prices.capture_album_usd,
    monthlyBudgetUsd: config.CAPTURE_MONTHLY_BUDGET_USD,
    plans,
    buildId: config.BUILD_ID,
  }
}

export const catalogGroup = { settings: catalogShape, validate: validateStreaming }

function validateStreaming(
  config: Values & { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined },
): string[] {
  if (config.STREAMING_PROVIDER === 'embedded')
    return config.PRODUCTION_MODE && !mayEmbed(config, 'streaming')
      ? [
          'STREAMING_PROVIDER must not be embedded in production mode: choose another provider or none, or add streaming to ALLOW_EMBEDDED.',
        ]
      : []
  if (config.STREAMING_PROVIDER === 'none') return []
  const missing = (['SPOTIFY_CLIENT_ID', 'SPOTIFY_CLIENT_SECRET'] as const).filter((name) => config[name] === undefined)
  const insecure = (['SPOTIFY_API_URL', 'SPOTIFY_ACCOUNTS_URL'] as const).filter((name) => {
    const { protocol, hostname } = new URL(config[name])
    return protocol !== 'https:' && !loopbackHostnames.has(hostname)
  })
  return [
    ...missing.map((name) => `${name} is required with STREAMING_PROVIDER=spotify.`),
    ...insecure.map((name) => `${name} must be an https URL; http is allowed only for localhost.`),
  ]
}
