import type { ServerResponse } from 'node:http'
import type { EventDates } from '../../../domain/events/live-events.ts'
import type { ApifyOptions } from '../../../providers/scraper/apify/index.ts'
import { generateAlbum } from '../../../providers/scraper/embedded/albums.ts'
import { generateEvents } from '../../../providers/scraper/embedded/events.ts'
import { generatePosts, generateProfile, type ProfileRequest } from '../../../providers/scraper/embedded/profiles.ts'
import { sendJson, serveVendor, type Call } from './http.ts'

type Input = {
  backlineKey: string
  albumIds?: string[]
  profileId?: string
  dates?: EventDates
  /** For the TikTok actor only. */
  profiles?: string[]
  resultsPerPage?: number
}
type FakeRun = { id: string; actor: string; status: string; startedAt: string; input: Input; webhooks: unknown }

const at = Date.parse('2026-08-21T12:00:00Z')

/** Returns the results of an actor: the albums and events of the embedded scraper, in Apify's format. */
const createItems = ({ albumIds, profileId, dates = 'all', profiles, resultsPerPage = 1 }: Input): unknown[] => {
  const [handle] = profiles ?? []
  if (handle !== undefined) return createTiktoks({ platform: 'TIKTOK', handle, depth: resultsPerPage })
  return profileId === undefined
    ? (albumIds ?? []).map((albumId) => {
        const { name, tracks } = generateAlbum(albumId, at)
        return { id: albumId, name, tracks: tracks.map(({ trackId, ...track }) => ({ id: trackId, ...track })) }
      })
    : generateEvents({ profileId, dates }, at).map(({ offerUrls, venue, city, country, ...event }) => ({
        ...event,
        venue: { name: venue, city, country },
        offers: offerUrls.map((url) => ({ url })),
      }))
}

const createTiktoks = (request: ProfileRequest): unknown[] => {
  const { username, avatar, bio, followers, following } = generateProfile(request, at)
  const authorMeta = { name: username, avatar, signature: bio, fans: followers, following }
  return generatePosts(request, at).map(({ url, publishedAt, views, likes, comments, reposts }) => ({
    webVideoUrl: url,
    createTimeISO: publishedAt.toISOString(),
    playCount: views,
    diggCount: likes,
    commentCount: comments,
    shareCount: reposts,
    authorMeta,
  }))
}

const toWireRun = ({ input: _input, webhooks: _webhooks, actor, ...run }: FakeRun) => ({
  ...run,
  actId: actor,
  defaultDatasetId: `dataset-${run.id}`,
  defaultKeyValueStoreId: run.id,
  usageTotalUsd: 0.0125,
})

const sendNotFound = (response: ServerResponse): void =>
  sendJson(response, 404, { error: { type: 'record-not-found', message: 'not found' } })

/** Starts a fake Apify API. Runs succeed immediately; `onStart` can suppress the response to a start that took effect. */
export const startApify = async () => {
  const runs: FakeRun[] = []
  const plan: {
    onStart?: (run: FakeRun, response: ServerResponse) => boolean
    status: string
    /** Number of requests for the run list that fail with 429 before a request succeeds. */
    busyLists: number
    /** Replaces the rows of every dataset. */
    rows?: unknown[]
  } = { status: 'SUCCEEDED', busyLists: 0 }

  const start = ({ path, query, body, response }: Call): void => {
    const run: FakeRun = {
      id: `run${runs.length + 1}`,
      actor: path.split('/')[3] ?? '',
      status: plan.status,
      startedAt: new Date().toISOString(),
      input: JSON.parse(body.toString()) as Input,
      webhooks: JSON.parse(Buffer.from(query.get('webhooks') ?? '', 'base64').toString()) as unknown,
    }
    runs.push(run)
    if (plan.onStart?.(run, response) !== true) sendJson(response, 201, { data: toWireRun(run) })
  }
  const list = ({ path, query, response }: Call): void => {
    if (plan.busyLists > 0) {
      plan.busyLists--
      response.setHeader('retry-after', '1')
      return sendJson(response, 429, { error: { type: 'rate-limit-exceeded', message: 'later' } })
    }
    const offset = Number(query.get('offset'))
    const limit = Number(query.get('limit'))
    const all = runs.filter(({ actor }) => actor === path.split('/')[3]).toReversed()
    const items = all.slice(offset, offset + limit).map(toWireRun)
    sendJson(response, 200, { data: { items, total: all.length, count: items.length, offset, limit, desc: true } })
  }
  const showItems = (run: FakeRun, { query, response }: Call): void => {
    const offset = Number(query.get('offset'))
    const limit = Number(query.get('limit'))
    const all = plan.rows ?? createItems(run.input)
    response.setHeader('x-apify-pagination-total', String(all.length))
    response.setHeader('x-apify-pagination-offset', String(offset))
    response.setHeader('x-apify-pagination-limit', String(limit))
    sendJson(response, 200, all.slice(offset, offset + limit))
  }

  const vendor = await serveVendor(
    async (call) => {
      const { method, path, headers, response } = call
      const [, , kind, id, part, subpart] = path.split('/')
      if (headers.authorization !== 'Bearer apify-token')
        return sendJson(response, 401, { error: { type: 'user-or-token-not-found', message: 'no' } })
      if (kind === 'actors') return method === 'POST' ? start(call) : list(call)
      const run = runs.find((candidate) => candidate.id === id)
      if (run === undefined) return sendNotFound(response)
      if (kind === 'key-value-stores') return sendJson(response, 200, run.input)
      if (part === 'abort') run.status = 'ABORTED'
      if (part === 'dataset' && subpart === 'items') return showItems(run, call)
      sendJson(response, 200, { data: toWireRun(run) })
    },
    async () => {},
  )
  const options: ApifyOptions = {
    apiUrl: vendor.url,
    token: 'apify-token',
    playCountsActor: 'owner/play-counts',
    eventsActor: 'owner/events',
    profileActors: { TIKTOK: 'owner/tiktok' },
    streamingHost: 'open.spotify.com',
    liveEventsHost: 'bandsintown.com',
    serverSecret: 'server-secret',
  }
  return { ...vendor, options, runs, plan }
}
