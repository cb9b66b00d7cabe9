import { z } from 'zod'
import { findSocial, listArtistsOfSocial, listSocials } from '../../db/artists/socials.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { scrapeResponse, scrapeRequest } from '../../domain/scrapers/runs.ts'
import { requireArtist } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError, invalidField, notFound } from '../http/errors.ts'
import { kibibytes, route, type Caller, type Route } from '../http/route.ts'
import { researchTag } from '../measurements/route-defaults.ts'
import { startScrape, resolveScrapeTarget } from './start.ts'

const scrapeDefaults = {
  tag: researchTag,
  auth: 'key-or-bearer',
  envelope: 'scrape',
  bodyLimit: kibibytes(256),
  rate: 'work',
  method: 'POST',
  idempotent: 'before-validation',
  responses: { 200: scrapeResponse },
} as const

/** Maximum number of an artist's linked profiles in one scrape. */
const maxProfiles = 100

export function scrapeArtistRoute(deps: WorkDeps): Route {
  return route({
    ...scrapeDefaults,
    path: '/api/artist/socials/scrape',
    summary: 'Scrape the linked profiles of an artist',
    description:
      'Reads and stores each profile on a supported platform, with its latest posts. Each profile costs 5 credits, plus 1 ' +
      'credit for each requested post (at least one). The costs are charged in advance and refunded for a profile that fails ' +
      'before any of its data is stored. Poll GET /api/scrapers/runs/{runId} or the background run.',
    ownership:
      "The artist must be on the caller's roster or be attached to one of the caller's organizations. The caller pays.",
    example: { artist_account_id: '7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa', posts: 20 },
    body: scrapeRequest,
    errors: ['insufficient_credits', 'forbidden'],
    handle: async ({ caller, body, idempotency }) => {
      const { artist_account_id: artistId, posts = null } = body
      recordAuditObject(caller, artistId)
      await requireArtist(deps, caller, caller.accountId, artistId)
      const socials = await listSocials(deps.db, artistId, { limit: maxProfiles, offset: 0 })
      return startScrape(deps, {
        caller,
        artistId,
        posts,
        socials,
        route: 'POST /api/artist/socials/scrape',
        idempotency,
      })
    },
  })
}

const posts = scrapeRequest.pick({ posts: true })

export function scrapeSocialRoute(deps: WorkDeps): Route {
  return route({
    ...scrapeDefaults,
    path: '/api/socials/{id}/scrape',
    summary: 'Scrape one profile',
    description:
      'Costs and polling are the same as for POST /api/artist/socials/scrape. Send `posts` in the query or in the body; ' +
      'the body takes precedence.',
    ownership: 'An artist that the profile is linked to must be accessible to the caller, who pays.',
    params: z.object({ id: uuid }),
    query: z.object({ posts: z.coerce.number().pipe(z.int().min(1).max(100)).optional() }),
    body: posts,
    bodyOptional: true,
    example: { posts: 20 },
    errors: ['insufficient_credits', 'forbidden', 'not_found'],
    handle: async ({ caller, params, query, body, idempotency }) => {
      recordAuditObject(caller, params.id)
      const social = await findSocial(deps.db, params.id)
      if (social === undefined) throw notFound('Social profile')
      await requireLinkedArtist(deps, caller, social.id)
      const target = resolveScrapeTarget(deps, social)
      if ('error' in target) throw invalidField(target.error)
      return startScrape(deps, {
        caller,
        artistId: null,
        posts: body.posts ?? query.posts ?? null,
        socials: [social],
        route: 'POST /api/socials/{id}/scrape',
        idempotency,
      })
    },
  })
}

/** Throws 403 unless the caller has access to at least one artist that is linked to the profile. */
async function requireLinkedArtist(deps: WorkDeps, caller: Caller, socialId: string): Promise<void> {
  const denied = new ApiError('forbidden', 'Access denied to this profile')
  for (const artistId of await listArtistsOfSocial(deps.db, socialId)) {
    try {
      await requireArtist(deps, caller, caller.accountId, artistId)
      return
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
  throw denied
}
