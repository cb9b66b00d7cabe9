import { describe, expect, test } from 'vitest'
import { loadConfig, scraperSettings, streamingSettings } from '../../config.ts'

const spotify = { STREAMING_PROVIDER: 'spotify', SPOTIFY_CLIENT_ID: 'client', SPOTIFY_CLIENT_SECRET: 'secret' }

/** Lists the errors in settings whose names match `about`. */
const listErrors = (settings: Record<string, string>, about = /STREAMING|SPOTIFY/): string[] => {
  try {
    loadConfig(settings)
    return []
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : []
    return lines.filter((line) => about.test(line))
  }
}

describe('the settings of the streaming platform', () => {
  test('are optional for the embedded platform', () => {
    expect(streamingSettings(loadConfig({}))).toEqual({ provider: 'embedded', host: 'open.spotify.com' })
  })

  test('contain the Spotify application', () => {
    expect(streamingSettings(loadConfig(spotify))).toEqual({
      provider: 'spotify',
      apiUrl: 'https://api.spotify.com',
      accountsUrl: 'https://accounts.spotify.com',
      clientId: 'client',
      clientSecret: 'secret',
    })
  })

  test.each<[Record<string, string>, RegExp]>([
    [{ STREAMING_PROVIDER: 'radio' }, /^STREAMING_PROVIDER: /],
    [{ ...spotify, SPOTIFY_CLIENT_ID: '' }, /^SPOTIFY_CLIENT_ID is required with STREAMING_PROVIDER=spotify/],
    [{ ...spotify, SPOTIFY_CLIENT_SECRET: '' }, /^SPOTIFY_CLIENT_SECRET is required with STREAMING_PROVIDER=spotify/],
    [{ ...spotify, SPOTIFY_API_URL: 'http://spotify.example' }, /^SPOTIFY_API_URL must be an https URL/],
    [{ ...spotify, SPOTIFY_ACCOUNTS_URL: 'http://spotify.example' }, /^SPOTIFY_ACCOUNTS_URL must be an https URL/],
    [{ PRODUCTION_MODE: 'true' }, /^STREAMING_PROVIDER must not be embedded in production mode/],
    [{ PRODUCTION_MODE: 'true', ALLOW_EMBEDDED: 'mail' }, /^STREAMING_PROVIDER must not be embedded/],
  ])('reject %j', (settings, error) => {
    expect(listErrors(settings)).toEqual([expect.stringMatching(error)])
  })

  test.each<Record<string, string>>([
    { PRODUCTION_MODE: 'true', ALLOW_EMBEDDED: 'mail, streaming' },
    { PRODUCTION_MODE: 'true', ...spotify },
    { PRODUCTION_MODE: 'true', STREAMING_PROVIDER: 'none' },
    { ...spotify, SPOTIFY_API_URL: 'http://127.0.0.1:9', SPOTIFY_ACCOUNTS_URL: 'http://localhost:9' },
  ])('accept %j', (settings) => {
    expect(listErrors(settings)).toEqual([])
  })
})

describe('the settings of the scraper', () => {
  const apify = {
    SCRAPER_PROVIDER: 'apify',
    APIFY_TOKEN: 'token',
    APIFY_PLAY_COUNTS_ACTOR: 'owner/plays',
    APIFY_EVENTS_ACTOR: 'owner/events',
  }
  const about = /SCRAPER|APIFY/

  test('are optional for the embedded scraper, and contain the token and actors of Apify', () => {
    expect(scraperSettings(loadConfig({}), 'store')).toMatchObject({ provider: 'embedded', store: 'store' })
    expect(scraperSettings(loadConfig(apify), 'store')).toMatchObject({
      provider: 'apify',
      apiUrl: 'https://api.apify.com',
      token: 'token',
      playCountsActor: 'owner/plays',
      eventsActor: 'owner/events',
    })
  })

  test.each<[Record<string, string>, RegExp]>([
    [{ ...apify, APIFY_TOKEN: '' }, /^APIFY_TOKEN is required with SCRAPER_PROVIDER=apify/],
    [{ ...apify, APIFY_PLAY_COUNTS_ACTOR: '' }, /^APIFY_PLAY_COUNTS_ACTOR is required/],
    [{ ...apify, APIFY_EVENTS_ACTOR: '' }, /^APIFY_EVENTS_ACTOR is required/],
    [{ ...apify, APIFY_API_URL: 'http://apify.example' }, /^APIFY_API_URL must be an https URL/],
    [{ PRODUCTION_MODE: 'true', ALLOW_EMBEDDED: 'mail' }, /^SCRAPER_PROVIDER must not be embedded in production mode/],
  ])('reject %j', (settings, error) => {
    expect(listErrors(settings, about)).toEqual([expect.stringMatching(error)])
  })

  test('accept `none` as the provider in production mode', () => {
    expect(listErrors({ PRODUCTION_MODE: 'true', SCRAPER_PROVIDER: 'none' }, about)).toEqual([])
  })
})
