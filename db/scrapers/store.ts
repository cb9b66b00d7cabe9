import type { ScrapedPost, ScrapedProfile } from '../../domain/scrapers/scraped-profiles.ts'
import type { Tx } from '../postgres/client.ts'
import { showBatchProgress, type ProfileRun } from './runs.ts'

/** Results of a run. Contains each post once. */
export type ScrapeResult = { profile: ScrapedProfile | null; posts: readonly ScrapedPost[] }

/**
 * Stores a profile with its posts and ends its run. Absent data does not overwrite stored data. Returns false for an
 * ended run.
 */
export async function storeProfile(tx: Tx, run: ProfileRun, { profile, posts }: ScrapeResult): Promise<boolean> {
  const { count } = await tx`
    update scraper_runs set state = 'COMPLETED', finished_at = now() where run_id = ${run.runId} and finished_at is null`
  if (count === 0) return false
  if (run.socialId !== null && profile !== null) await updateSocial(tx, run.socialId, profile)
  const postRows = await upsertPosts(tx, posts)
  if (run.socialId !== null) await linkPosts(tx, run.socialId, postRows)
  await tx`
    update scraper_runs set post_ids = ${postRows.map(({ id }) => id)}::uuid[],
      new_post_urls = ${JSON.stringify(postRows.flatMap(({ url, isNew }) => (isNew ? [url] : [])))}::text::jsonb
    where run_id = ${run.runId}`
  await showBatchProgress(tx, run.batchRunId)
  return true
}

/** Updates the profile and today's follower count. */
async function updateSocial(tx: Tx, socialId: string, profile: ScrapedProfile): Promise<void> {
  const { username, avatar, bio, region, followers, following } = profile
  await tx`
    update socials set username = coalesce(${username}, username), avatar = coalesce(${avatar}, avatar),
      bio = coalesce(${bio}, bio), region = coalesce(${region}, region),
      follower_count = coalesce(${followers}::bigint, follower_count),
      following_count = coalesce(${following}::bigint, following_count)
    where id = ${socialId}`
  if (followers === null) return
  await tx`
    insert into social_snapshots as known (social_id, captured_on, captured_at, follower_count, following_count)
    values (${socialId}, (now() at time zone 'UTC')::date, now(), ${followers}::bigint, ${following}::bigint)
    on conflict (social_id, captured_on) do update set captured_at = excluded.captured_at,
      follower_count = excluded.follower_count,
      following_count = coalesce(excluded.following_count, known.following_count)`
}

type PostRow = { id: string; url: string; isNew: boolean }

async function upsertPosts(tx: Tx, posts: readonly ScrapedPost[]): Promise<PostRow[]> {
  return tx<PostRow[]>`
    insert into posts (post_url, published_at, views, likes, comments, reposts)
    select url, published_at::timestamptz, views, likes, comments, reposts from unnest(
      ${posts.map(({ url }) => url)}::text[], ${posts.map(({ publishedAt }) => publishedAt.toISOString())}::text[],
      ${posts.map(({ views }) => views)}::bigint[], ${posts.map(({ likes }) => likes)}::bigint[],
      ${posts.map(({ comments }) => comments)}::bigint[], ${posts.map(({ reposts }) => reposts)}::bigint[]
    ) as found (url, published_at, views, likes, comments, reposts) order by url
    on conflict (post_url) do update set published_at = excluded.published_at,
      views = coalesce(excluded.views, posts.views), likes = coalesce(excluded.likes, posts.likes),
      comments = coalesce(excluded.comments, posts.comments), reposts = coalesce(excluded.reposts, posts.reposts)
    returning id, post_url as url, xmax = 0 as is_new`
}

async function linkPosts(tx: Tx, socialId: string, postRows: readonly PostRow[]): Promise<void> {
  await tx`
    insert into social_posts (social_id, post_id)
    select ${socialId}::uuid, id from unnest(${postRows.map(({ id }) => id)}::uuid[]) as id order by id
    on conflict do nothing`
}
