import { describe, expect, test } from 'vitest'
import { loadConfig, streamingSettings } from '../../config.ts'

const spotify = { STREAMING_PROVIDER: 'spotify', SPOTIFY_CLIENT_ID: 'client', SPOTIFY_CLIENT_SECRET: 'secret' }

/** What is wrong with the settings, as far as it is about the streaming platform. */
const faultsOf = (settings: Record<string, string>): string[] => {
  try {
    loadConfig(settings)
    return []
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : []
    return lines.filter((line) => /STREAMING|SPOTIFY/.test(line))
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
    [{ ...spotify, SPOTIFY_API_URL: 'http://spotify.example' }, /^SPOTIFY_API_URL must be an https address/],
    [{ ...spotify, SPOTIFY_ACCOUNTS_URL: 'http://spotify.example' }, /^SPOTIFY_ACCOUNTS_URL must be an https address/],
    [{ PRODUCTION_MODE: 'true' }, /^STREAMING_PROVIDER must be a real one in production mode/],
    [{ PRODUCTION_MODE: 'true', ALLOW_EMBEDDED: 'mail' }, /^STREAMING_PROVIDER must be a real one/],
  ])('refuse %j', (settings, fault) => {
    expect(faultsOf(settings)).toEqual([expect.stringMatching(fault)])
  })

  test.each<Record<string, string>>([
    { PRODUCTION_MODE: 'true', ALLOW_EMBEDDED: 'mail, streaming' },
    { PRODUCTION_MODE: 'true', ...spotify },
    { ...spotify, SPOTIFY_API_URL: 'http://127.0.0.1:9', SPOTIFY_ACCOUNTS_URL: 'http://localhost:9' },
  ])('accept %j', (settings) => {
    expect(faultsOf(settings)).toEqual([])
  })
})
