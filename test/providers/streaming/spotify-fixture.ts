import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ProviderCall } from '../../../providers/call.ts'
import type { StreamingPort } from '../../../providers/streaming/index.ts'
import { createSpotifyStreaming } from '../../../providers/streaming/spotify/index.ts'
import { sendJson } from '../vendors/http.ts'
import { startSpotify } from '../vendors/spotify.ts'

/** Creates a clock that advances only by its pauses and by the test. */
export const createClock = () => {
  let now = Date.now()
  const pauses: number[] = []
  return {
    now: () => now,
    pause: async (ms: number) => {
      pauses.push(ms)
      now += ms
    },
    pauses,
    advance: (seconds: number) => {
      now += seconds * 1000
    },
    call: (seconds = 60): ProviderCall => ({ deadline: new Date(now + seconds * 1000), requestId: 'request-1' }),
  }
}

type SpotifyFixture = {
  spotify: Awaited<ReturnType<typeof startSpotify>>
  clock: ReturnType<typeof createClock>
  /** A new instance for each test. */
  streaming: StreamingPort
  /** Returns the requests that arrived in the test and begin with `start`. */
  listCalls(start: string): string[]
}

/** Sets up one fake Spotify server for the tests of a file. */
export const setUpSpotify = (): SpotifyFixture => {
  const fixture: Partial<SpotifyFixture> & Pick<SpotifyFixture, 'listCalls'> = {
    listCalls: (start) => fixture.spotify?.calls.filter((call) => call.startsWith(start)) ?? [],
  }
  beforeAll(async () => {
    fixture.spotify = await startSpotify()
  })
  afterAll(() => fixture.spotify?.close())
  beforeEach(() => {
    if (fixture.spotify === undefined) throw new Error('the fake Spotify is not running')
    fixture.clock = createClock()
    fixture.streaming = createSpotifyStreaming(fixture.spotify.options, fixture.clock)
    fixture.spotify.forgetCalls()
  })
  afterEach(() => fixture.spotify?.forgetPlans())
  return fixture as SpotifyFixture
}

export const artistPath = '/v1/artists/nova1'

/** Reads the artist at `artistPath`. */
export const readArtist = ({ streaming, clock }: Pick<SpotifyFixture, 'streaming' | 'clock'>, call = clock.call()) =>
  streaming.getArtist('nova1', call)

export const catchError = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
export const withStatus =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    sendJson(response, status, { error: { status, message: 'planned' } })
  }
export const withBody = (body: unknown) => (response: ServerResponse) => sendJson(response, 200, body)
export const cutBody = (text: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write(text, () => response.destroy())
}
