import type { PriceTable } from '../credits/work-prices.ts'

/** Credits for one profile; without a number of posts, one post is charged. */
export function scrapePrice(posts: number | null, prices: PriceTable): number {
  return prices.social_scrape_profile + (posts ?? 1) * prices.social_scrape_post
}

/** Reference of a profile's debit. */
export function scrapeReference(profileRunId: string): string {
  return `scrape:${profileRunId}`
}
