import type { ProfileRun } from '../../db/scrapers/runs.ts'
import type { ScrapeResult } from '../../db/scrapers/store.ts'
import { resolveDepth, selectPosts } from '../../domain/scrapers/platforms.ts'
import type { ScrapeError } from '../../domain/scrapers/runs.ts'
import type { ScrapedPost, ScrapedProfile } from '../../domain/scrapers/scraped-profiles.ts'
import { providerCall } from '../runtime/provider-call.ts'
import type { ScraperDeps } from '../jobs/scraper-runs.ts'

const pageSize = 200
/** Maximum number of items to read for one profile: more than ten times the number that is requested from any platform. */
const maxItems = 2000

/** Returns the results of a profile run in stored form, or the reason why there is nothing to store. */
export async function readResults(
  { scraper }: Pick<ScraperDeps, 'scraper'>,
  run: ProfileRun,
  providerRunId: string,
): Promise<ScrapeResult | { error: ScrapeError }> {
  const posts: ScrapedPost[] = []
  let profile: ScrapedProfile | null = null
  let isReadable = true
  for (let offset = 0; offset < maxItems; offset += pageSize) {
    const query = { providerRunId, offset, limit: pageSize }
    const page = await scraper.profile(run.platform, query, providerCall())
    posts.push(...page.posts)
    profile ??= page.profile
    isReadable &&= page.isReadable
    if (!page.hasMore) break
  }
  if (profile === null && posts.length === 0) return { error: isReadable ? 'not_found' : 'unreadable' }
  const depth = resolveDepth(run.platform, run.posts)
  return { profile, posts: selectPosts(run.platform, posts.map(replaceFutureTime), depth) }
}

/** Replaces a publication time in the future with the current time. */
function replaceFutureTime(post: ScrapedPost): ScrapedPost {
  const now = new Date()
  return post.publishedAt > now ? { ...post, publishedAt: now } : post
}
