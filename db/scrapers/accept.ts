import { newDatasetId, newJobId } from '../../domain/fields/ids.ts'
import type { ScrapedToken } from '../../domain/scrapers/platforms.ts'
import { endJobRow } from '../jobs/jobs.ts'
import { acceptJobs, type JobTerms } from '../jobs/paid.ts'
import type { Tx } from '../postgres/client.ts'
import { skippedOutput, type RequestedScrape, type ScrapePayload, type SkippedProfile } from './ending.ts'
import { scrapeJobKind } from './job.ts'
import type { ScrapeProgress } from './runs.ts'

export type RequestedProfile = { socialId: string; platform: ScrapedToken; profileUrl: string; handle: string }

type ScrapeRequest = {
  artistId: string | null
  posts: number | null
  profiles: readonly RequestedProfile[]
  skipped: readonly SkippedProfile[]
  /** Credits per profile. */
  price: number
}

export type AcceptedScrape = {
  runId: string
  datasetId: string
  /** One run per profile, in the order of the profiles. */
  runs: { runId: string; datasetId: string }[]
}

/**
 * Debits the price of each profile from the paying account and stores the batch with its background run. A batch without
 * profiles ends immediately. Throws `InsufficientCreditsError`.
 */
export async function acceptScrape(tx: Tx, terms: JobTerms, request: ScrapeRequest): Promise<AcceptedScrape> {
  const { artistId, posts, profiles, skipped, price } = request
  const [id, datasetId] = [newJobId(), newDatasetId()]
  const runs = profiles.map(() => ({ runId: newJobId(), datasetId: newDatasetId() }))
  const repeatable = toRequestedScrape(request)
  const payload: ScrapePayload = { skipped: [...skipped], ...(repeatable && { request: repeatable }) }
  const metadata: ScrapeProgress = { profiles: profiles.length, profilesDone: 0, postsStored: 0 }
  const isEmpty = profiles.length === 0
  const insert = async () => {
    await tx`
      insert into scraper_batches (run_id, dataset_id, account_id, artist_id, posts, credits, state)
      values (${id}, ${datasetId}, ${terms.accountId}, ${artistId}, ${posts}, ${profiles.length * price},
        ${isEmpty ? 'COMPLETED' : 'QUEUED'})`
    await insertRuns(tx, id, { profiles, runs })
  }
  const job = { id, keys: runs.map(({ runId }) => runId), payload, metadata, insert }
  await acceptJobs(tx, scrapeJobKind, terms, { price, jobs: [job] })
  if (isEmpty) await endJobRow(tx, id, { status: 'COMPLETED', output: { runs: skipped.map(skippedOutput) } })
  return { runId: id, datasetId, runs }
}

async function insertRuns(
  tx: Tx,
  batchRunId: string,
  { profiles, runs }: { profiles: readonly RequestedProfile[]; runs: AcceptedScrape['runs'] },
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

function toRequestedScrape({ artistId, posts, profiles }: ScrapeRequest): RequestedScrape | undefined {
  if (artistId !== null) return { artist_account_id: artistId, posts }
  const [profile] = profiles
  return profile && { social_id: profile.socialId, posts }
}
