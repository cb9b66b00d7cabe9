import { normalizeIsrc } from '../../../domain/catalogs/isrc.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { systemClock } from '../../retry.ts'
import { maxFoundArtists, type StreamingPort } from '../index.ts'
import * as answers from './answers.ts'
import { isId, readMany } from './batches.ts'
import { createClient } from './client.ts'
import { createRestriction } from './restriction.ts'
import { createToken, type TokenOptions } from './token.ts'

export type SpotifyOptions = TokenOptions & { apiUrl: string }

const largePageSize = 50
const smallPageSize = 10

/** Creates the streaming platform for the Spotify Web API, with the credentials of an app. */
export function createSpotifyStreaming(options: SpotifyOptions, clock = systemClock): StreamingPort {
  const { read } = createClient({ apiUrl: options.apiUrl, token: createToken(options, clock), clock })
  const restriction = createRestriction(clock)

  const readPage = async <Page>(requestPage: (limit: number) => Promise<Page>): Promise<Page> => {
    if (restriction.isKnown()) return requestPage(smallPageSize)
    try {
      return await requestPage(largePageSize)
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'invalid') throw error
      const page = await requestPage(smallPageSize)
      restriction.remember()
      return page
    }
  }

  return {
    listReleases: async ({ artistId, groups, cursor }, call) => {
      const path = `${artistPath(artistId)}/albums`
      const offset = parseOffset(cursor)
      const query = { include_groups: groups.join(','), offset: String(offset) }
      const page = await readPage((limit) =>
        read(path, { ...query, limit: String(limit) }, answers.releasesResponse, call),
      )
      const end = offset + page.limit
      // Spotify sometimes returns `next` on the last page, so following it could loop forever.
      const isLast = !page.next || page.items.length === 0 || end >= (page.total ?? Infinity)
      return { items: page.items, next: isLast ? null : String(end) }
    },
    getArtist: async (artistId, call) => read(artistPath(artistId), {}, answers.artistResponse, call),
    searchArtists: async (name, call) => {
      const query = { q: name, type: 'artist', limit: String(maxFoundArtists) }
      return read('search', query, answers.artistSearchResponse, call)
    },
    getAlbums: (albumIds, call) =>
      readMany(
        albumIds,
        {
          readBatch: (ids) => read('albums', { ids: ids.join(',') }, answers.albumsResponse, call),
          readOne: (id) => read(`albums/${encodeURIComponent(id)}`, {}, answers.albumResponse, call),
        },
        restriction,
      ),
    getTracks: (trackIds, call) =>
      readMany(
        trackIds,
        {
          readBatch: (ids) => read('tracks', { ids: ids.join(',') }, answers.tracksResponse, call),
          readOne: (id) => read(`tracks/${encodeURIComponent(id)}`, {}, answers.trackResponse, call),
        },
        restriction,
      ),
    findByIsrc: async (isrc, call) => {
      const query = { q: `isrc:${isrc}`, type: 'track', limit: String(smallPageSize) }
      const tracks = await read('search', query, answers.searchResponse, call)
      return tracks.find((track) => normalizeIsrc(track.isrc ?? '') === isrc) ?? null
    },
  }
}

function artistPath(artistId: string): string {
  if (!isId(artistId)) throw new ProviderError('not_found', 'the Spotify artist id is malformed')
  return `artists/${encodeURIComponent(artistId)}`
}

function parseOffset(cursor: string | null): number {
  if (cursor !== null && !/^\d{1,6}$/.test(cursor)) throw new ProviderError('invalid', 'the cursor is invalid')
  return Number(cursor ?? 0)
}
