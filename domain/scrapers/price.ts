import type { PriceTable } from '../credits/work-prices.ts'

/** Returns the credits for one profile. Without a number of posts, charges one post. */
export function scrapePrice(posts: number | null, prices: PriceTable): number {
  return prices.social_scrape_profile + (posts ?? 1) * prices.social_scrape_post
}

/** Returns the reference of a profile's debit. */
export function scrapeReference(profileRunId: string): string {
  return `scrape:${profileRunId}`
}
