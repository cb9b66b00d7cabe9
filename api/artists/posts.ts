import { z } from 'zod'
import { countPosts, listPosts } from '../../db/artists/posts.ts'
import { toPostResponse, postSchema } from '../../domain/artists/posts.ts'
import { successOf } from '../../domain/fields/fields.ts'
import { requireKnownArtist } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { route, success, type Route } from '../http/route.ts'
import { artistParams, routeDefaults } from './route-defaults.ts'
import { numberedPage, toPage, numberedQuery, numberedPagination } from '../../domain/fields/pages.ts'

export function listPostsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/artists/{id}/posts',
    summary: 'List the posts of the linked profiles of an artist, newest first',
    description: 'Returns the posts that scrapes have stored. A count is null if the platform does not report it.',
    ownership: "The artist must be on the caller's roster or be attached to one of the caller's organizations.",
    params: artistParams,
    query: z.object(numberedQuery(20)),
    responses: { 200: successOf({ posts: z.array(postSchema), pagination: numberedPagination }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { id: artistId }, query }) => {
      await requireKnownArtist(deps, caller, caller.accountId, artistId)
      const [posts, total] = await Promise.all([
        listPosts(deps.db, artistId, toPage(query)),
        countPosts(deps.db, artistId),
      ])
      return success({ posts: posts.map(toPostResponse), pagination: numberedPage(total, query) })
    },
  })
}
