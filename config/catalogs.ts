import type { z } from 'zod'
import type { PlanRules } from '../domain/credits/plans.ts'
import type { PriceTable } from '../domain/credits/work-prices.ts'
import { rejectEmbedded, requireHttps, requireSettings, type Mode } from './requirements.ts'
import { anyText, anyUrl, between, choice, matching, positive, secret } from './values.ts'

const catalogShape = {
  STREAMING_PROVIDER: choice(['embedded', 'spotify', 'none']).describe(
    'Source of artists, albums and tracks: embedded (generated data), spotify, or none, which rejects measurements.',
  ),
  SPOTIFY_CLIENT_ID: anyText().describe('Client id of the Spotify app. Required with STREAMING_PROVIDER=spotify.'),
  SPOTIFY_CLIENT_SECRET: secret('Client secret of the Spotify app. Required with STREAMING_PROVIDER=spotify.'),
  SPOTIFY_API_URL: anyUrl('https://api.spotify.com').describe('URL of the Spotify Web API, without the version.'),
  SPOTIFY_ACCOUNTS_URL: anyUrl('https://accounts.spotify.com').describe(
    'URL of the token service of the Spotify Web API.',
  ),
  CAPTURE_MONTHLY_BUDGET_USD: matching(
    /^\d{1,9}(\.\d{1,6})?$/,
    'must be a decimal number',
  )('25').describe("Maximum estimated cost of an account's measurements per calendar month (UTC), in US dollars."),
  VALUATION_WAIT_MS: positive(90_000).describe(
    'Maximum time, in milliseconds, for which a valuation request waits for its measurement before it gets 504.',
  ),
  VALUATION_MAX_RELEASES: between(
    1,
    500,
  )(300).describe("Maximum number of an artist's albums and singles that a valuation measures."),
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

function validateStreaming(config: Values & Mode): string[] {
  if (config.STREAMING_PROVIDER === 'none') return []
  if (config.STREAMING_PROVIDER === 'embedded')
    return rejectEmbedded(config, 'STREAMING_PROVIDER', 'streaming', 'another provider or none')
  return [
    ...requireSettings(config, ['SPOTIFY_CLIENT_ID', 'SPOTIFY_CLIENT_SECRET'], 'with STREAMING_PROVIDER=spotify'),
    ...requireHttps(config, ['SPOTIFY_API_URL', 'SPOTIFY_ACCOUNTS_URL']),
  ]
}
