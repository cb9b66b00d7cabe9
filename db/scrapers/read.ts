import type { Post } from '../../domain/artists/posts.ts'
import type { Social } from '../../domain/artists/socials.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { ScrapeRun } from '../../domain/scrapers/runs.ts'
import type { Db } from '../postgres/client.ts'

export type OwnedRun = ScrapeRun & { accountId: string }

/** Returns a batch or a profile run by its id or the id of its dataset. */
export async function findScrapeRun(db: Db, id: string): Promise<OwnedRun | undefined> {
  const [run] = await db<OwnedRun[]>`
    select run_id, dataset_id, run_id as batch_run_id, null as platform, null as profile_url, batch.state, null as error,
      job.started_at, job.finished_at, batch.account_id
    from scraper_batches batch left join background_runs job on job.id = run_id
    where run_id = ${id} or dataset_id = ${id}
    union all
    select run.run_id, run.dataset_id, batch_run_id, platform, profile_url, run.state, error, started_at, finished_at,
      account_id
    from scraper_runs run join scraper_batches batch on batch.run_id = batch_run_id
    where run.run_id = ${id} or run.dataset_id = ${id}
    limit 1`
  return run
}

/** Returns the profile runs of a batch, in order. */
export function listRunsOfBatch(db: Db, batchRunId: string): Promise<ScrapeRun[]> {
  return db<ScrapeRun[]>`
    select run_id, dataset_id, batch_run_id, platform, profile_url, state, error, started_at, finished_at
    from scraper_runs where batch_run_id = ${batchRunId} order by position`
}

/** Returns the posts of a profile run, or of all runs of a batch, newest first. */
export async function listPostsOfRun(
  db: Db,
  runId: string,
  { limit, offset }: Page,
): Promise<{ posts: Post[]; count: number }> {
  const ids = db`
    select distinct unnest(post_ids) from scraper_runs where run_id = ${runId} or batch_run_id = ${runId}`
  const posts = await db<Post[]>`
    select id, post_url, published_at, views, likes, comments, reposts from posts where id in (${ids})
    order by published_at desc, id limit ${limit} offset ${offset}`
  const [row] = await db<[{ count: number }]>`select count(*)::int as count from posts where id in (${ids})`
  return { posts, count: row.count }
}

/** Returns the social row of a profile run; undefined when it was deleted. */
export async function findSocialOfRun(db: Db, runId: string): Promise<Social | undefined> {
  const [social] = await db<Social[]>`
    select socials.id, socials.profile_url, type, username, avatar, bio, region, follower_count, following_count, updated_at
    from scraper_runs run join socials on socials.id = run.social_id where run.run_id = ${runId}`
  return social
}

/** Returns the batch that waits for this profile run, if any. */
export async function findBatchOfLiveRun(db: Db, runId: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select batch_run_id as id from scraper_runs where run_id = ${runId} and state = 'EXECUTING'`
  return row?.id
}
