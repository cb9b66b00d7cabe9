import { endJobRow, readJob } from '../jobs/jobs.ts'
import type { Tx } from '../postgres/client.ts'
import { failProfile, listProfileRuns, type ProfileRun } from './runs.ts'

export type SkippedProfile = { platform: string; profileUrl: string; error: string }
/** `request`: the request that a retry of the scrape sends. */
export type ScrapePayload = { skipped: SkippedProfile[]; request?: RequestedScrape }
export type RequestedScrape =
  | { artist_account_id: string; posts: number | null }
  | { social_id: string; posts: number | null }

/**
 * Ends a batch and its background run, and fails its unfinished profiles. The batch is completed if at least one profile is
 * completed; otherwise, it is failed. Returns false when it had already ended.
 */
export async function endBatch(
  tx: Tx,
  batchRunId: string,
  { isCancelled }: { isCancelled: boolean },
): Promise<boolean> {
  for (const run of await listProfileRuns(tx, batchRunId))
    await failProfile(tx, run, isCancelled ? 'cancelled' : 'provider_failed')
  const runs = await listProfileRuns(tx, batchRunId)
  const isCompleted = runs.some(({ state }) => state === 'COMPLETED')
  await tx`
    update scraper_batches set state = ${isCompleted ? 'COMPLETED' : 'FAILED'}, waiting_since = null
    where run_id = ${batchRunId} and state in ('QUEUED', 'EXECUTING')`
  if (isCancelled) return endJobRow(tx, batchRunId, { status: 'CANCELED' })
  if (!isCompleted)
    return endJobRow(tx, batchRunId, {
      status: 'FAILED',
      error: { name: 'ScrapeFailed', message: 'No profile could be scraped' },
    })
  const { skipped } = (await readJob(tx, batchRunId)).payload as ScrapePayload
  const output = { runs: [...runs.map(toOutput), ...skipped.map(skippedOutput)] }
  return endJobRow(tx, batchRunId, { status: 'COMPLETED', output })
}

function toOutput({ platform, profileUrl, runId, state, postCount, error }: ProfileRun) {
  return { platform, profile_url: profileUrl, runId, status: state, posts_stored: postCount, error }
}

/** Returns the output of the background run for a profile that was not scraped. */
export function skippedOutput({ platform, profileUrl, error }: SkippedProfile) {
  return { platform, profile_url: profileUrl, runId: null, status: 'SKIPPED', posts_stored: 0, error }
}
