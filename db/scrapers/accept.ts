import type { PlanRules } from '../../domain/credits/plans.ts'
import { newDatasetId, newJobId } from '../../domain/fields/ids.ts'
import type { ScrapedToken } from '../../domain/scrapers/platforms.ts'
import { scrapeReference } from '../../domain/scrapers/price.ts'
import { debitIfCovered, NotCovered, type Usage } from '../credits/ledger.ts'
import { endBackgroundRun, insertJob } from '../jobs/jobs.ts'
import type { Tx } from '../postgres/client.ts'

/** The job that scrapes profiles; its payload is `ScrapePayload`. */
export const scrapeJob = 'scrape-socials'

type Skipped = { platform: string; profileUrl: string; error: string }
/** `asked`: the request that repeats the scrape. */
export type ScrapePayload = { skipped: Skipped[]; asked?: RequestedScrape }
type RequestedScrape = { artist_account_id: string; posts: number | null } | { social_id: string; posts: number | null }

/** Progress of a batch: metadata of its background run. */
export type ScrapeProgress = { profiles: number; profilesDone: number; postsStored: number }

export type WantedProfile = { socialId: string; platform: ScrapedToken; profileUrl: string; handle: string }

export type ScrapeRequest = {
  /** The account that pays. */
  accountId: string
  artistId: string | null
  posts: number | null
  profiles: readonly WantedProfile[]
  skipped: readonly Skipped[]
  /** Credits per profile. */
  price: number
  usage: Usage
  plans: PlanRules
  buildId: string
}

export type AcceptedScrape = {
  runId: string
  datasetId: string
  /** In the order of the profiles. */
  runs: { runId: string; datasetId: string }[]
}

/**
 * Debits every profile and stores the batch with its background run. A batch without a profile ends immediately. Throws
 * `NotCovered`.
 */
export async function acceptScrape(tx: Tx, request: ScrapeRequest): Promise<AcceptedScrape> {
  const { accountId, profiles, price } = request
  const [runId, datasetId] = [newJobId(), newDatasetId()]
  const runs = profiles.map(() => ({ runId: newJobId(), datasetId: newDatasetId() }))
  const usage = { ...request.usage, runId }
  const profileRunIds = runs.map((run) => run.runId)
  await debitAll(tx, { ...request, usage }, profileRunIds)
  await tx`
    insert into scraper_batches (run_id, dataset_id, account_id, artist_id, posts, credits, state)
    values (${runId}, ${datasetId}, ${accountId}, ${request.artistId}, ${request.posts}, ${profiles.length * price},
      ${profiles.length === 0 ? 'COMPLETED' : 'QUEUED'})`
  await insertRuns(tx, runId, { profiles, runs })
  await insertBackgroundRun(tx, runId, request)
  return { runId, datasetId, runs }
}

/** The shortfall covers all profiles, because the transaction reverts the earlier debits. */
async function debitAll(
  tx: Tx,
  { accountId, profiles, price: amount, usage, plans }: ScrapeRequest,
  runIds: readonly string[],
): Promise<void> {
  for (const [done, runId] of runIds.entries()) {
    const gate = await debitIfCovered(tx, { accountId, amount, reference: scrapeReference(runId), usage, plans })
    if (!gate.covered) throw new NotCovered(gate.available + done * amount, profiles.length * amount)
  }
}

async function insertRuns(
  tx: Tx,
  batchRunId: string,
  { profiles, runs }: { profiles: readonly WantedProfile[]; runs: AcceptedScrape['runs'] },
): Promise<void> {
  await tx`
    insert into scraper_runs (run_id, dataset_id, batch_run_id, position, social_id, platform, profile_url, handle)
    select run_id, dataset_id, ${batchRunId}, place - 1, social_id, platform, profile_url, handle
    from unnest(
      ${runs.map((run) => run.runId)}::text[], ${runs.map((run) => run.datasetId)}::text[],
      ${profiles.map(({ socialId }) => socialId)}::uuid[], ${profiles.map(({ platform }) => platform)}::text[],
      ${profiles.map(({ profileUrl }) => profileUrl)}::text[], ${profiles.map(({ handle }) => handle)}::text[]
    ) with ordinality as wanted (run_id, dataset_id, social_id, platform, profile_url, handle, place)`
}

async function insertBackgroundRun(tx: Tx, id: string, request: ScrapeRequest): Promise<void> {
  const { accountId, profiles, skipped, buildId: version } = request
  const asked = toRequestedScrape(request)
  const payload: ScrapePayload = { skipped: [...skipped], ...(asked && { asked }) }
  const metadata: ScrapeProgress = { profiles: profiles.length, profilesDone: 0, postsStored: 0 }
  await insertJob(tx, { id, accountId, taskIdentifier: scrapeJob, cancellable: true, version, payload, metadata })
  if (profiles.length > 0) return
  const output = { runs: skipped.map(skippedOutput) }
  await endBackgroundRun(tx, id, { status: 'COMPLETED', output })
}

function toRequestedScrape({ artistId, posts, profiles }: ScrapeRequest): RequestedScrape | undefined {
  if (artistId !== null) return { artist_account_id: artistId, posts }
  const [profile] = profiles
  return profile && { social_id: profile.socialId, posts }
}

/** Output of the background run for a profile that was not scraped. */
export function skippedOutput({ platform, profileUrl, error }: Skipped) {
  return { platform, profile_url: profileUrl, runId: null, status: 'SKIPPED', posts_stored: 0, error }
}
