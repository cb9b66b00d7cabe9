import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlatformTrack } from '../../../domain/catalogs/platform-tracks.ts'
import { ProviderError } from '../../../providers/errors/provider-error.ts'
import { createEmbeddedStreaming } from '../../../providers/streaming/embedded/index.ts'
import {
  maxConcurrentAlbums,
  maxConcurrentTracks,
  type FoundArtist,
  type Release,
  type ReleaseGroup,
} from '../../../providers/streaming/index.ts'
import { sendJson } from './http.ts'
import { serve } from './serve.ts'

type Respond = (response: ServerResponse) => void

const markets = ['DE', 'SE', 'US']
const createLink = (kind: string, id: string) => ({ spotify: `https://open.spotify.com/${kind}/${id}` })
const toImages = (url: string | null) =>
  url === null
    ? []
    : [640, 300].map((width, index) => ({ url: index === 0 ? url : `${url}small`, width, height: width }))

const toAlbumResponse = ({ albumId, name, type, releaseDate, trackCount }: Release) => ({
  id: albumId,
  name,
  album_group: type,
  album_type: type,
  release_date: releaseDate,
  release_date_precision: 'day',
  total_tracks: trackCount,
  available_markets: markets,
  external_urls: createLink('album', albumId),
})

const toTrackResponse = ({ trackId, isrc, name, albumId, album, artworkUrl, artists }: PlatformTrack) => ({
  id: trackId,
  name,
  external_ids: { ...(isrc !== null && { isrc }), ean: '0' },
  available_markets: markets,
  album: { id: albumId, name: album, images: toImages(artworkUrl), available_markets: markets },
  artists: artists.map(({ id, name }) => ({ id, name, external_urls: createLink('artist', id) })),
})

const toArtistResponse = ({ artistId, name, imageUrl, followers, profileUrl }: FoundArtist) => ({
  id: artistId,
  name,
  images: toImages(imageUrl),
  followers: { href: null, total: followers },
  external_urls: { spotify: profileUrl },
})

const statuses: Partial<Record<ProviderError['kind'], number>> = { not_found: 404, rate_limited: 429, unavailable: 503 }

const sendError = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { error: { status, message } })

const createCall = () => ({ deadline: new Date(Date.now() + 5000), requestId: 'of the fake' })

const sendSingle = (response: ServerResponse, id: string, item: object | null): void => {
  if (id === 'malformed') sendError(response, 400, 'Invalid base62 id')
  else if (item === null) sendError(response, 404, 'Resource not found')
  else sendJson(response, 200, item)
}

/** Starts a fake Spotify Web API and accounts service with the artists of the embedded platform. */
export const startSpotify = async () => {
  const platform = createEmbeddedStreaming({ host: 'open.spotify.com' })
  const calls: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const plans: { path: string; respond: Respond }[] = []
  const validTokens = new Set<string>()
  let batchStatus: 403 | 404 | undefined
  let tokenCount = 0

  const listAllReleases = async (artistId: string, groups: ReleaseGroup[]): Promise<Release[]> => {
    const releases: Release[] = []
    for (let cursor: string | null = '0'; cursor !== null;) {
      const page = await platform.listReleases({ artistId, groups, cursor }, createCall())
      releases.push(...page.items)
      cursor = page.next
    }
    return releases
  }

  const findAlbum = async (id: string) => {
    const [album] = await platform.getAlbums([id], createCall())
    return album === undefined ? null : toAlbumResponse({ ...album, type: 'album', trackCount: 9 })
  }
  const findTrack = async (id: string) => {
    const [track] = await platform.getTracks([id], createCall())
    return track === undefined ? null : toTrackResponse(track)
  }

  const sendBatch = async (
    response: ServerResponse,
    {
      name,
      ids,
      max,
      findOne,
    }: { name: string; ids: string[]; max: number; findOne: (id: string) => Promise<object | null> },
  ): Promise<void> => {
    if (batchStatus !== undefined) return sendError(response, batchStatus, 'Forbidden')
    if (ids.length > max) return sendError(response, 400, 'Too many ids requested')
    if (ids.includes('malformed')) return sendError(response, 400, 'Invalid base62 id')
    sendJson(response, 200, { [name]: await Promise.all(ids.map(findOne)) })
  }

  const sendArtist = async (response: ServerResponse, id: string): Promise<void> => {
    if (id.startsWith('garbage')) return void response.end('<html>')
    sendJson(response, 200, toArtistResponse({ artistId: id, ...(await platform.getArtist(id, createCall())) }))
  }

  const sendReleases = async (response: ServerResponse, id: string, query: URLSearchParams): Promise<void> => {
    if (id.startsWith('garbage')) return void response.end('{"items":')
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))]
    if (limit > (batchStatus === undefined ? 50 : 10)) return sendError(response, 400, 'Invalid limit')
    const all = await listAllReleases(id, (query.get('include_groups') ?? '').split(',') as ReleaseGroup[])
    const end = offset + limit
    sendJson(response, 200, {
      items: all.slice(offset, end).map(toAlbumResponse),
      limit,
      offset,
      total: all.length,
      next: end < all.length ? `https://api.spotify.com/v1/artists/${id}/albums?offset=${end}` : null,
    })
  }

  const search = async (response: ServerResponse, query: URLSearchParams): Promise<void> => {
    if (query.get('type') === 'artist') {
      const limit = Number(query.get('limit'))
      if (limit > 10) return sendError(response, 400, 'Invalid limit')
      const artists = await platform.searchArtists(query.get('q') ?? '', createCall())
      return sendJson(response, 200, { artists: { items: artists.slice(0, limit).map(toArtistResponse), limit } })
    }
    const track = await platform.findByIsrc((query.get('q') ?? '').replace('isrc:', ''), createCall())
    sendJson(response, 200, { tracks: { items: track === null ? [] : [toTrackResponse(track)], limit: 10, total: 1 } })
  }

  const credentials = `Basic ${Buffer.from('client:the-secret').toString('base64')}`
  const sendToken = (response: ServerResponse): void => {
    const token = `token-${++tokenCount}`
    validTokens.add(`Bearer ${token}`)
    sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 })
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://spotify')
    calls.push(`${request.method} ${request.url}`)
    headers.push(request.headers)
    const planIndex = plans.findIndex(({ path }) => pathname === path)
    if (planIndex !== -1) return plans.splice(planIndex, 1)[0]?.respond(response)
    if (pathname === '/api/token')
      return request.headers.authorization === credentials
        ? sendToken(response)
        : sendJson(response, 400, { error: 'invalid_client', error_description: 'Invalid client secret' })
    if (!validTokens.has(request.headers.authorization ?? ''))
      return sendError(response, 401, 'The access token expired')
    const [, , kind, id, part] = pathname.split('/').map(decodeURIComponent)
    if (id?.startsWith('hanging') === true) return
    const ids = (query.get('ids') ?? '').split(',')
    if (kind === 'search') return search(response, query)
    if (kind === 'artists' && id !== undefined)
      return part === undefined ? sendArtist(response, id) : sendReleases(response, id, query)
    if (kind === 'albums')
      return id === undefined
        ? sendBatch(response, { name: 'albums', ids, max: maxConcurrentAlbums, findOne: findAlbum })
        : sendSingle(response, id, await findAlbum(id))
    if (kind === 'tracks')
      return id === undefined
        ? sendBatch(response, { name: 'tracks', ids, max: maxConcurrentTracks, findOne: findTrack })
        : sendSingle(response, id, await findTrack(id))
    sendError(response, 404, 'Service not found')
  }

  const server = await serve((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const { kind, retryAfterSeconds } = error instanceof ProviderError ? error : { kind: 'invalid' as const }
      if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds)
      sendError(response, statuses[kind] ?? 500, 'of the fake')
    })
  })

  return {
    options: { apiUrl: server.url, accountsUrl: `${server.url}/`, clientId: 'client', clientSecret: 'the-secret' },
    /** `METHOD path?query` of each received request. */
    calls,
    headers,
    forgetCalls: () => {
      calls.length = 0
      headers.length = 0
    },
    /** Sets the response to the next requests for the path. Plans apply in order. */
    plan: (path: string, respond: Respond, times = 1) => {
      for (let index = 0; index < times; index++) plans.push({ path, respond })
    },
    /** Removes plans and restrictions. */
    forgetPlans: () => {
      plans.length = 0
      batchStatus = undefined
    },
    sendToken,
    /** Rejects all issued tokens. */
    forgetTokens: () => validTokens.clear(),
    /** Rejects batches with this status and pages of more than ten; undefined accepts both. */
    restrict: (status: 403 | 404 | undefined) => {
      batchStatus = status
    },
    close: () => server.close(),
  }
}
