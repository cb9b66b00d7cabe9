import { ApifyClient } from 'apify-client'
import type { ScraperRequest } from '../../../domain/scrapers/requests.ts'
import type { ScrapedToken } from '../../../domain/scrapers/platforms.ts'
import { runUntilDeadline, type ProviderCall } from '../../call.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { readRecords } from '../../records.ts'
import { systemClock, withRetries, type Clock } from '../../retry.ts'
import { verifyCallback } from '../callback.ts'
import type { ScraperPageQuery, ScraperPort } from '../index.ts'
import { toProviderError } from './errors.ts'
import { toAlbum, toEvent } from './items.ts'
import { buildProfileInput } from './profile-input.ts'
import { toProfile } from './profiles.ts'
import { findRun, keyMember, toRun } from './runs.ts'

export type ApifyOptions = {
  apiUrl: string
  token: string
  /** Actor (`owner/name`) that counts plays of albums. */
  playCountsActor: string
  /** Actor that lists the events of a live-events profile. */
  eventsActor: string
  /** Actors that read profiles, by platform. */
  profileActors: Partial<Record<ScrapedToken, string>>
  streamingHost: string
  liveEventsHost: string
  serverSecret: string
}

const maxBytes = 10 * 1024 * 1024
const timeoutSeconds = 60

const endEvents = ['ACTOR.RUN.SUCCEEDED', 'ACTOR.RUN.FAILED', 'ACTOR.RUN.ABORTED', 'ACTOR.RUN.TIMED_OUT'] as const

/**
 * Creates a scraper that runs actors on Apify. Input of the play counts actor: `{ backlineKey, albumIds, urls }`. Its dataset
 * has an item for each album: `{ id, name, tracks: [{ id, name, playCount, durationMs }] }`. Input of the events actor:
 * `{ backlineKey, profileId, dates, url }` with dates `upcoming`, `past` or `all`. Its dataset has an item for each event:
 * `{ localStart, start, venue, city, region, country, offers: [{ url }], soldOut, lineup }`. Missing members are unknown, and
 * items without an id are omitted. Apify has no idempotency keys, so the input contains the key, by which `find` recognizes a
 * run.
 */
export function createApifyScraper(options: ApifyOptions, clock: Clock = systemClock): ScraperPort {
  const client = createClient(options)
  const { serverSecret } = options
  const selectActor = (request: ScraperRequest): string => selectActorId(options, request)

  /** Sends a request that is safe to repeat, with retries. */
  const sendWithRetries = <T>(call: ProviderCall, work: () => Promise<T>): Promise<T> =>
    withRetries(call, clock, () =>
      work().catch((error: unknown) => {
        throw toProviderError(error)
      }),
    )
  const page = async <Item>(
    { providerRunId, offset, limit }: ScraperPageQuery,
    call: ProviderCall,
    parse: (item: unknown) => Item | undefined,
  ) => {
    const { items, total } = await sendWithRetries(call, () =>
      client.run(providerRunId).dataset().listItems({ offset, limit }),
    )
    const records = readRecords('Apify items', items, parse)
    return {
      items: records,
      isReadable: items.length === 0 || records.length > 0,
      hasMore: items.length > 0 && offset + items.length < total,
    }
  }

  return {
    name: 'apify',
    start: ({ key, request, callbackUrl }, call) =>
      runUntilDeadline(call, async () => {
        const input = { ...buildInput(options, request), [keyMember]: key }
        const webhooks = [{ eventTypes: endEvents, requestUrl: callbackUrl }]
        try {
          const { id } = await client.actor(selectActor(request)).start(input, { webhooks })
          return { providerRunId: id }
        } catch (error) {
          throw toProviderError(error)
        }
      }),
    find: (key, request, call) => sendWithRetries(call, () => findRun(client, selectActor(request), key)),
    status: (providerRunId, call) =>
      sendWithRetries(call, async () => toRun(requireRun(await client.run(providerRunId).get()))),
    albums: (query, call) => page(query, call, toAlbum),
    profile: async (platform, query, call) => {
      const { items, ...pageInfo } = await page(query, call, (item) => toProfile(platform, item))
      return {
        ...pageInfo,
        profile: items.find(({ profile }) => profile !== null)?.profile ?? null,
        posts: items.flatMap(({ posts }) => posts),
      }
    },
    events: (query, call) => page(query, call, toEvent),
    abort: (providerRunId, call) =>
      sendWithRetries(call, async () => {
        const { state } = toRun(requireRun(await client.run(providerRunId).get()))
        if (state === 'queued' || state === 'running') await client.run(providerRunId).abort()
      }),
    verifyWebhook: ({ query }) => verifyCallback(serverSecret, query),
  }
}

/** Creates a client without automatic retries, because a repeated start is charged twice. It does not follow redirects. */
function createClient({ apiUrl, token }: ApifyOptions): ApifyClient {
  return new ApifyClient({
    baseUrl: apiUrl,
    token,
    maxRetries: 0,
    timeoutSecs: timeoutSeconds,
    requestInterceptors: [(config) => ({ ...config, maxContentLength: maxBytes, maxRedirects: 0 })],
  })
}

function requireRun<T>(run: T | undefined): T {
  if (run === undefined) throw new ProviderError('not_found', 'the Apify run does not exist')
  return run
}

function selectActorId({ playCountsActor, eventsActor, profileActors }: ApifyOptions, request: ScraperRequest): string {
  if (request.kind === 'events') return eventsActor
  if (request.kind === 'playcounts') return playCountsActor
  const actor = profileActors[request.platform]
  if (actor === undefined)
    throw new ProviderError('invalid', `Apify: APIFY_PROFILE_ACTORS has no actor for ${request.platform}`)
  return actor
}

function buildInput({ streamingHost, liveEventsHost }: ApifyOptions, request: ScraperRequest): object {
  if (request.kind === 'profile') return buildProfileInput(request)
  if (request.kind === 'events') {
    const { profileId, dates } = request
    return { profileId, dates, url: `https://${liveEventsHost}/a/${profileId}` }
  }
  const { albumIds } = request
  return { albumIds, urls: albumIds.map((id) => `https://${streamingHost}/album/${id}`) }
}
