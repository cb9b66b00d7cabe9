import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ProviderCall } from '../../../providers/call.ts'
import type { StreamingPort } from '../../../providers/streaming/index.ts'
import { createSpotifyStreaming } from '../../../providers/streaming/spotify/index.ts'
import { answer } from '../vendors/http.ts'
import { playSpotify } from '../vendors/spotify.ts'

/** Time that only pauses and the test move on. */
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
    pass: (seconds: number) => {
      now += seconds * 1000
    },
    call: (seconds = 60): ProviderCall => ({ deadline: new Date(now + seconds * 1000), requestId: 'request-1' }),
  }
}

type Bench = {
  spotify: Awaited<ReturnType<typeof playSpotify>>
  clock: ReturnType<typeof createClock>
  /** New for each test. */
  streaming: StreamingPort
  /** Those that arrived in the test, by their beginning. */
  listCalls(start: string): string[]
}

/** The tests of a file against one server that plays Spotify. */
export const setUpSpotify = (): Bench => {
  const bench: Partial<Bench> & Pick<Bench, 'listCalls'> = {
    listCalls: (start) => bench.spotify?.calls.filter((each) => each.startsWith(start)) ?? [],
  }
  beforeAll(async () => {
    bench.spotify = await playSpotify()
  })
  afterAll(() => bench.spotify?.close())
  beforeEach(() => {
    if (bench.spotify === undefined) throw new Error('Spotify is not played')
    bench.clock = createClock()
    bench.streaming = createSpotifyStreaming(bench.spotify.options, bench.clock)
    bench.spotify.forgetCalls()
  })
  afterEach(() => bench.spotify?.forgetPlans())
  return bench as Bench
}

export const artistPath = '/v1/artists/nova1'

/** The artist of that path. */
export const readArtist = ({ streaming, clock }: Pick<Bench, 'streaming' | 'clock'>, call = clock.call()) =>
  streaming.getArtist('nova1', call)

export const waitForFault = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
export const withStatus =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    answer(response, status, { error: { status, message: 'planned' } })
  }
export const withBody = (body: unknown) => (response: ServerResponse) => answer(response, 200, body)
export const cut = (text: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write(text, () => response.destroy())
}
