import { describe, expect, test } from 'vitest'
import { loadConfig, scraperSettings, streamingSettings } from '../../config.ts'

const spotify = { STREAMING_PROVIDER: 'spotify', SPOTIFY_CLIENT_ID: 'client', SPOTIFY_CLIENT_SECRET: 'secret' }

/** Faults of the settings that concern the streaming platform, or `about`. */
const listFaults = (settings: Record<string, string>, about = /STREAMING|SPOTIFY/): string[] => {
  try {
    loadConfig(settings)
    return []
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : []
    return lines.filter((line) => about.test(line))
  }
}

describe('the settings of the streaming platform', () => {
  test('need nothing for the embedded one', () => {
    expect(streamingSettings(loadConfig({}))).toEqual({ provider: 'embedded', host: 'open.spotify.com' })
  })

  test('name the application of Spotify', () => {
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
  ])('refuse %j', (settings, fault) => {
    expect(listFaults(settings)).toEqual([expect.stringMatching(fault)])
  })

  test.each<Record<string, string>>([
    { PRODUCTION_MODE: 'true', ALLOW_EMBEDDED: 'mail, streaming' },
    { PRODUCTION_MODE: 'true', ...spotify },
    { PRODUCTION_MODE: 'true', STREAMING_PROVIDER: 'none' },
    { ...spotify, SPOTIFY_API_URL: 'http://127.0.0.1:9', SPOTIFY_ACCOUNTS_URL: 'http://localhost:9' },
  ])('accept %j', (settings) => {
    expect(listFaults(settings)).toEqual([])
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

  test('need nothing for the embedded one, and name token and actors of Apify', () => {
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
  ])('refuse %j', (settings, fault) => {
    expect(listFaults(settings, about)).toEqual([expect.stringMatching(fault)])
  })

  test('accept none in production mode', () => {
    expect(listFaults({ PRODUCTION_MODE: 'true', SCRAPER_PROVIDER: 'none' }, about)).toEqual([])
  })
})
