import { z } from 'zod'
import { profileHosts } from '../../config.ts'
import { findSocial, listArtistsOfSocial, listSocials } from '../../db/artists/socials.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { scrapeResponse, scrapeRequest } from '../../domain/scrapers/runs.ts'
import { requireArtist } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { WorkDeps, RouteDeps } from '../deps.ts'
import { ApiError, invalidField, notFound } from '../http/errors.ts'
import { kibibytes, route, ok, type Caller, type Route, type Idempotency } from '../http/route.ts'
import { researchTag } from '../measurements/route-defaults.ts'
import { acceptScrape, type RequestedProfile } from '../../db/scrapers/accept.ts'
import { scrapeJobKind } from '../../db/scrapers/job.ts'
import { parseProfile } from '../../domain/artists/profiles.ts'
import type { Social } from '../../domain/artists/socials.ts'
import { resolveTarget, type Target } from '../../domain/scrapers/platforms.ts'
import { scrapePrice } from '../../domain/scrapers/price.ts'
import { acceptAndStart, jobTerms } from '../jobs/accept.ts'

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

type ScrapeStart = {
  caller: Caller
  artistId: string | null
  posts: number | null
  socials: readonly Social[]
  /** `METHOD /route/pattern` */
  route: string
  idempotency: Idempotency
}

/** Accepts one scrape for all supported profiles, and returns its runs. Throws 402 if the credits do not cover it. */
async function startScrape(deps: WorkDeps, { caller, artistId, posts, socials, route, idempotency }: ScrapeStart) {
  const profiles = socials.map((social) => ({ social, target: resolveScrapeTarget(deps, social) }))
  const scrapeable = profiles.flatMap(({ social, target }): RequestedProfile[] =>
    'error' in target ? [] : [{ ...target, socialId: social.id, profileUrl: social.profileUrl }],
  )
  const skipped = profiles.flatMap(({ social, target }) =>
    'error' in target ? [{ platform: social.type, profileUrl: social.profileUrl, error: target.error }] : [],
  )
  const request = { artistId, posts, profiles: scrapeable, skipped, price: scrapePrice(posts, deps.config.prices) }
  const terms = jobTerms(deps, caller, caller.accountId, route)
  return acceptAndStart(deps, { caller, idempotency }, async (tx) => {
    const accepted = await acceptScrape(tx, terms, request)
    const job = { id: accepted.runId, jobKind: scrapeJobKind.name }
    return { response: toResponse(profiles, accepted), jobs: scrapeable.length === 0 ? [] : [job] }
  })
}

/** Returns the provider's target for a social profile, from its stored user name or, by default, from its URL. */
function resolveScrapeTarget({ config }: Pick<RouteDeps, 'config'>, { profileUrl, username }: Social): Target {
  const profile = parseProfile(`https://${profileUrl}`, profileHosts(config))
  return resolveTarget({ token: profile?.token ?? 'OTHER', username: username ?? profile?.username ?? null })
}

function toResponse(
  profiles: readonly { social: Social; target: Target }[],
  accepted: Awaited<ReturnType<typeof acceptScrape>>,
) {
  const runs = [...accepted.runs]
  const { runId, datasetId } = accepted
  return ok({
    runId,
    datasetId,
    error: runs.length === 0 ? 'No linked profile can be scraped' : null,
    runs: profiles.map(({ social: { type: platform, profileUrl: profile_url }, target }) => {
      if ('error' in target) return { platform, profile_url, runId: null, datasetId: null, error: target.error }
      const run = runs.shift()
      return { platform, profile_url, runId: run?.runId ?? null, datasetId: run?.datasetId ?? null, error: null }
    }),
  })
}
