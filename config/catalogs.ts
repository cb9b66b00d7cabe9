import { z } from 'zod'
import type { PlanRules } from '../domain/credits/plans.ts'
import type { PriceTable } from '../domain/credits/work-prices.ts'
import { mayEmbed } from './service.ts'
import { count, onThisMachine } from './values.ts'

const catalogNames = {
  STREAMING_PROVIDER: z.enum(['embedded', 'spotify', 'none']).default('embedded').meta({
    description:
      'Source of artists, albums and tracks: generated data of this service, Spotify, or none, which refuses measurements.',
  }),
  SPOTIFY_CLIENT_ID: z
    .string()
    .optional()
    .meta({ description: 'Client id of the application of STREAMING_PROVIDER=spotify.' }),
  SPOTIFY_CLIENT_SECRET: z
    .string()
    .optional()
    .meta({ description: 'Client secret of the application of STREAMING_PROVIDER=spotify.', secret: true }),
  SPOTIFY_API_URL: z
    .url()
    .default('https://api.spotify.com')
    .meta({ description: 'Address of the Spotify Web API, without its version.' }),
  SPOTIFY_ACCOUNTS_URL: z
    .url()
    .default('https://accounts.spotify.com')
    .meta({ description: 'Address that issues tokens for the Spotify Web API.' }),
  CAPTURE_MONTHLY_BUDGET_USD: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal number')
    .default('25')
    .meta({
      description: 'Maximum estimated price of the measurements of an account per calendar month (UTC), in US dollars.',
    }),
  VALUATION_WAIT_MS: count.min(1).default(90_000).meta({
    description:
      'Time, in milliseconds, for which a valuation request waits for its measurement before the response is 504.',
  }),
  VALUATION_MAX_RELEASES: count
    .min(1)
    .max(500)
    .default(300)
    .meta({ description: 'Maximum number of albums and singles of an artist that a valuation measures.' }),
}

type Values = z.output<z.ZodObject<typeof catalogNames>>

/** The streaming settings for `createStreaming`; validation has already refused missing ones. */
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

/** Settings of measurements, for their acceptance. */
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

export const catalogGroup = { names: catalogNames, faults: streamingFaults }

function streamingFaults(config: Values & { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined }): string[] {
  if (config.STREAMING_PROVIDER === 'embedded')
    return config.PRODUCTION_MODE && !mayEmbed(config, 'streaming')
      ? [
          'STREAMING_PROVIDER must not be embedded in production mode: choose another provider or none, or add streaming to ALLOW_EMBEDDED.',
        ]
      : []
  if (config.STREAMING_PROVIDER === 'none') return []
  const missing = (['SPOTIFY_CLIENT_ID', 'SPOTIFY_CLIENT_SECRET'] as const).filter((name) => config[name] === undefined)
  const plain = (['SPOTIFY_API_URL', 'SPOTIFY_ACCOUNTS_URL'] as const).filter((name) => {
    const { protocol, hostname } = new URL(config[name])
    return protocol !== 'https:' && !onThisMachine.has(hostname)
  })
  return [
    ...missing.map((name) => `${name} is required with STREAMING_PROVIDER=spotify.`),
    ...plain.map((name) => `${name} must be an https address.`),
  ]
}
