import { profileHosts } from '../../config.ts'
import { acceptScrape, scrapeJob, type WantedProfile } from '../../db/scrapers/accept.ts'
import { NotCovered } from '../../db/credits/ledger.ts'
import { parseProfile } from '../../domain/artists/profiles.ts'
import type { Social } from '../../domain/artists/socials.ts'
import { resolveTarget, type Target } from '../../domain/scrapers/platforms.ts'
import { scrapePrice } from '../../domain/scrapers/price.ts'
import { insufficientCredits } from '../credits/gate.ts'
import type { ApiDeps } from '../deps.ts'
import type { Caller, Idempotency } from '../http/route.ts'
import { startJob } from '../runs/jobs.ts'

type StartScrape = {
  caller: Caller
  artistId: string | null
  posts: number | null
  socials: readonly Social[]
  /** `METHOD /route/pattern` */
  route: string
  idempotency: Idempotency
}

/** Accepts a scrape of all profiles or of none, and returns its runs. Throws 402. */
export async function startScrape(
  deps: ApiDeps,
  { caller, artistId, posts, socials, route, idempotency }: StartScrape,
) {
  const { config, db } = deps
  const profiles = socials.map((social) => ({ social, target: targetIn(deps, social) }))
  const wanted = profiles.flatMap(({ social, target }): WantedProfile[] =>
    'error' in target ? [] : [{ ...target, socialId: social.id, profileUrl: social.profileUrl }],
  )
  const skipped = profiles.flatMap(({ social, target }) =>
    'error' in target ? [{ platform: social.type, profileUrl: social.profileUrl, error: target.error }] : [],
  )
  const request = {
    accountId: caller.accountId,
    artistId,
    posts,
    profiles: wanted,
    skipped,
    price: scrapePrice(posts, config.prices),
    usage: { source: caller.via === 'key' ? ('api' as const) : ('web' as const), modelId: route },
    plans: config.plans,
    buildId: config.BUILD_ID,
  }
  try {
    const { answer, runId } = await db.begin(async (tx) => {
      const accepted = await acceptScrape(tx, request)
      const answer = toResponse(profiles, accepted)
      await idempotency.remember(tx, answer)
      return { answer, runId: accepted.runId }
    })
    if (wanted.length > 0) startJob(deps, { id: runId, taskIdentifier: scrapeJob })
    return answer
  } catch (error) {
    if (error instanceof NotCovered) throw insufficientCredits(config, error)
    throw error
  }
}

/** The provider's target for a social row: its stored name, or else the one in its URL. */
export function targetIn({ config }: Pick<ApiDeps, 'config'>, { profileUrl, username }: Social): Target {
  const profile = parseProfile(`https://${profileUrl}`, profileHosts(config))
  return resolveTarget({ token: profile?.token ?? 'OTHER', username: username ?? profile?.username ?? null })
}

function toResponse(
  profiles: readonly { social: Social; target: Target }[],
  accepted: Awaited<ReturnType<typeof acceptScrape>>,
) {
  const runs = [...accepted.runs]
  const { runId, datasetId } = accepted
  return {
    status: 200 as const,
    body: {
      runId,
      datasetId,
      error: runs.length === 0 ? 'No linked profile can be scraped' : null,
      runs: profiles.map(({ social: { type: platform, profileUrl: profile_url }, target }) => {
        if ('error' in target) return { platform, profile_url, runId: null, datasetId: null, error: target.error }
        const run = runs.shift()
        return { platform, profile_url, runId: run?.runId ?? null, datasetId: run?.datasetId ?? null, error: null }
      }),
    },
  }
}
