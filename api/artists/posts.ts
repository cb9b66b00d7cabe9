import { z } from 'zod'
import { countPosts, listPosts } from '../../db/artists/posts.ts'
import { toPostResponse, postSchema } from '../../domain/artists/posts.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { requireKnownArtist } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { artistParams, routeDefaults } from './route-defaults.ts'

export function listPostsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/artists/{id}/posts',
    summary: 'List the posts of the linked profiles of an artist, newest first',
    description: 'Returns the posts that scrapes have stored. A count is null if the platform does not report it.',
    ownership: "The artist must be on the caller's roster or be attached to one of the caller's organizations.",
    params: artistParams,
    query: z.object({ page: queryInteger(1, 1_000_000, 1), limit: queryInteger(1, 100, 20) }),
    responses: {
      200: z.object({
        status: z.literal('success'),
        posts: z.array(postSchema),
        pagination: z.object({ total_count: z.int(), page: z.int(), limit: z.int(), total_pages: z.int() }),
      }),
    },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { id: artistId }, query: { page, limit } }) => {
      await requireKnownArtist(deps, caller, caller.accountId, artistId)
      const [posts, total] = await Promise.all([
        listPosts(deps.db, artistId, { limit, offset: (page - 1) * limit }),
        countPosts(deps.db, artistId),
      ])
      return {
        status: 200,
        body: {
          status: 'success',
          posts: posts.map(toPostResponse),
          pagination: { total_count: total, page, limit, total_pages: Math.ceil(total / limit) },
        },
      }
    },
  })
}
