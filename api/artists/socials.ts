import { z } from 'zod'
import { lockArtist } from '../../db/artists/links.ts'
import {
  countSocials,
  findProfileLink,
  listFollowerDays,
  listSocials,
  unlinkProfile,
} from '../../db/artists/socials.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { toSocialResponse, socialSchema } from '../../domain/artists/socials.ts'
import { requireArtist, requireKnownArtist, requireLinkOwner } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, artistParams } from './route-defaults.ts'
import { numberedPage, toPage, numberedQuery, numberedPagination } from '../../domain/fields/pages.ts'
import { countPosts, listPosts } from '../../db/artists/posts.ts'
import { toPostResponse, postSchema } from '../../domain/artists/posts.ts'

const ownership = "The artist must be on the caller's roster or be attached to one of the caller's organizations."

export function listSocialsRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/artists/{id}/socials',
    summary: 'List the linked profiles of an artist, sorted by platform and URL',
    ownership,
    params: artistParams,
    query: z.object({
      ...numberedQuery(20),
      days: z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number)
        .pipe(z.int().min(1).max(365))
        .optional()
        .meta({ description: 'Number of days, including today, for which the follower history is returned.' }),
    }),
    responses: { 200: successOf({ socials: z.array(socialSchema), pagination: numberedPagination }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { id: artistId }, query: { days, ...query } }) => {
      await requireKnownArtist(deps, caller, caller.accountId, artistId)
      const [socials, total] = await Promise.all([
        listSocials(deps.db, artistId, toPage(query)),
        countSocials(deps.db, artistId),
      ])
      const ids = socials.map(({ id }) => id)
      const history = days === undefined ? undefined : await listFollowerDays(deps.db, ids, days)
      return success({
        socials: socials.map((social) => toSocialResponse(social, history && (history.get(social.id) ?? []))),
        pagination: numberedPage(total, query),
      })
    },
  })
}

export function removeSocialRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/artists/{id}/socials/{socialId}',
    summary: 'Remove a profile link of an artist',
    widensAccess: true,
    description: 'Only the link is removed. The profile and its stored data are kept.',
    ownership: `${ownership} The caller's account or organization must have added the link or created the artist.`,
    params: z.object({ id: uuid, socialId: uuid }),
    responses: { 200: successOf({ success: z.literal(true), socialId: z.guid() }) },
    errors: ['not_found'],
    handle: async ({ caller, params: { id: artistId, socialId } }) => {
      await deps.db.begin(async (tx) => {
        const access = { config: deps.config, db: tx }
        const artist = await lockArtist(tx, artistId, 'change')
        if (artist === undefined) throw notFound('Artist')
        const link = await findProfileLink(tx, artistId, socialId)
        if (link === undefined) throw new ApiError('not_found', 'Profile is not linked to this artist')
        await requireArtist(access, caller, caller.accountId, artistId)
        await requireLinkOwner(access, caller, caller.accountId, { artist, addedBy: link.addedBy })
        await unlinkProfile(tx, artistId, socialId)
      })
      return success({ success: true, socialId })
    },
  })
}

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
