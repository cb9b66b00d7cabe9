import { z } from 'zod'
import { trimmedText, successOf } from '../../domain/fields/fields.ts'
import { keepWebUrl } from '../../domain/fields/stored-url.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { FoundArtist } from '../../providers/streaming/index.ts'
import type { ArtistDeps } from './route-defaults.ts'
import { ApiError } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults } from '../measurements/route-defaults.ts'

const searchTimeoutMs = 5000

const searchResult = z.object({
  streaming_artist_id: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  follower_count: z.int().nullable(),
  profile_url: z.string(),
})

export function searchRoute(deps: ArtistDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/research/artists',
    summary: 'Find artists of the streaming platform by name',
    description:
      'Returns up to ten artists, best match first. Valuations and new artists accept the returned id. The search is free. ' +
      '503: the platform is busy; retry after Retry-After.',
    ownership: 'Every caller gets the public artists of the streaming platform.',
    waitMs: searchTimeoutMs,
    query: z.object({ search: trimmedText(1, 100).meta({ description: 'Name of an artist, or a part of it.' }) }),
    responses: { 200: successOf({ artists: z.array(searchResult) }) },
    errors: ['bad_gateway'],
    handle: async ({ query, requestId, closed }) => {
      const call = { deadline: new Date(Date.now() + searchTimeoutMs), requestId, signal: closed }
      try {
        const matches = await deps.streaming.searchArtists(query.search, call)
        return success({ artists: matches.map(toResponse) })
      } catch (error) {
        throw toApiError(error)
      }
    },
  })
}

function toResponse({ artistId, name, imageUrl, followers, profileUrl }: FoundArtist): z.output<typeof searchResult> {
  return {
    streaming_artist_id: artistId,
    name,
    image: keepWebUrl(imageUrl),
    follower_count: followers,
    profile_url: profileUrl,
  }
}

/** Converts a failure of the platform to the error of the route. */
function toApiError(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error
  if (error.kind === 'rate_limited') {
    const headers = { 'retry-after': String(error.retryAfterSeconds ?? 1) }
    return new ApiError('unavailable', 'The streaming platform is busy', { headers, cause: error })
  }
  return new ApiError('bad_gateway', 'The streaming platform failed', { cause: error })
}
