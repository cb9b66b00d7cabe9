import { profileHosts } from '../../config.ts'
import { acceptScrape, type RequestedProfile } from '../../db/scrapers/accept.ts'
import { scrapeJobKind } from '../../db/scrapers/job.ts'
import { parseProfile } from '../../domain/artists/profiles.ts'
import type { Social } from '../../domain/artists/socials.ts'
import { resolveTarget, type Target } from '../../domain/scrapers/platforms.ts'
import { scrapePrice } from '../../domain/scrapers/price.ts'
import type { RouteDeps, WorkDeps } from '../deps.ts'
import { ok, type Caller, type Idempotency } from '../http/route.ts'
import { acceptAndStart, jobTerms } from '../jobs/accept.ts'

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
export async function startScrape(
  deps: WorkDeps,
  { caller, artistId, posts, socials, route, idempotency }: ScrapeStart,
) {
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
export function resolveScrapeTarget({ config }: Pick<RouteDeps, 'config'>, { profileUrl, username }: Social): Target {
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
